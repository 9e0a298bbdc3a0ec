// Colors of the background by theme, as linear intensities.

export const THEMES = {
  light: { sky: [0.42, 0.6, 0.82], horizon: [0.82, 0.87, 0.91], ground: [0.42, 0.43, 0.45] },
  dark: { sky: [0.012, 0.02, 0.04], horizon: [0.05, 0.062, 0.085], ground: [0.03, 0.032, 0.04] },
};

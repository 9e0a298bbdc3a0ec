// Colors of background and light by theme, as linear intensities.

export const THEMES = {
  light: {
    sky: [0.4, 0.57, 0.78],
    horizon: [0.78, 0.83, 0.88],
    ground: [0.36, 0.37, 0.39],
    fromAbove: [0.31, 0.33, 0.36],
    fromBelow: [0.17, 0.165, 0.16],
    key: [0.84, 0.81, 0.77],
  },
  dark: {
    sky: [0.012, 0.02, 0.04],
    horizon: [0.05, 0.062, 0.085],
    ground: [0.03, 0.032, 0.04],
    fromAbove: [0.12, 0.13, 0.155],
    fromBelow: [0.05, 0.05, 0.055],
    key: [0.78, 0.77, 0.75],
  },
};

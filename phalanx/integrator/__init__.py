"""From accelerations to the next state. One function per integrator, chosen by `m.opt.integrator`."""

/** User settings that every test starts with: nothing opens, asks or fetches uninvited. */
export const quietSettings: UserSettings = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  // What is saved, tests save.
  'files.autoSave': 'off',
  'git.enabled': false,
};

export type UserSettings = Readonly<Record<string, unknown>>;

/** The kinds of theme that everything we show must look right in: how the picker names one of each, and its mark. */
export const themes = {
  light: { label: 'Light 2026', bodyClass: 'vs' },
  dark: { label: 'Dark 2026', bodyClass: 'vs-dark' },
  'high-contrast': { label: 'Dark High Contrast', bodyClass: 'hc-black' },
  'high-contrast-light': { label: 'Light High Contrast', bodyClass: 'hc-light' },
} as const;

export type Theme = keyof typeof themes;

/** The folder that the agents keep for each other, and how much may stand in it. */
export interface FieldGuideBudget {
  readonly folder: string;
  /** Lines of `index.md`, which goes into every agent's context. */
  readonly indexLines: number;
  /** Lines of the whole folder. */
  readonly folderLines: number;
}

export const defaultFieldGuide: FieldGuideBudget = {
  folder: 'field-guide',
  indexLines: 120,
  folderLines: 600,
};

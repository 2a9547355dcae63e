/** Files of the workspace that the host suites find. */
export const hostWorkspace: Readonly<Record<string, string>> = {
  'README.md': '# A workspace\n',
  'notes/todo.txt': 'nothing\n',
};

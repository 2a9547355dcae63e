/** Texts that are shorter, and have no lines, stay in the playbook. Characters. */
const longest = 160;

/** Files beside a recorded playbook: what agents wrote, where it can be read, linted and compared as what it is. */
export class PartFiles {
  readonly files: Map<string, string> = new Map();
  readonly #byContent = new Map<string, string>();

  /** The file that holds an argument; undefined when it stays in the playbook. */
  add(
    agent: string,
    args: Readonly<Record<string, unknown>>,
    name: string,
    value: unknown,
  ): string | undefined {
    // A file is UTF-8, which has no half of a surrogate pair.
    if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
    if (value.length <= longest && !value.includes('\n')) return undefined;
    const folder = `parts/${folderOf(agent)}`;
    const wanted = fileName(args['path'], name);
    const known = this.#byContent.get(`${folder} ${wanted} ${value}`);
    if (known !== undefined) return known;
    const file = this.#free(folder, wanted);
    this.files.set(file, value);
    this.#byContent.set(`${folder} ${wanted} ${value}`, file);
    return file;
  }

  #free(folder: string, name: string): string {
    const taken = new Set([...this.files.keys()].map((file) => file.toLowerCase()));
    const dot = name.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    for (let number = 1; ; number += 1) {
      const file = `${folder}/${number === 1 ? name : `${stem}-${number}${ending}`}`;
      if (!taken.has(file.toLowerCase())) return file;
    }
  }
}

/** `root/front/lexer@1` -> `front/lexer`; later attempts and resolvers have folders of their own. */
function folderOf(agent: string): string {
  const [, task, attempt] = /^root(?:\/(\S+))?@(\d+)$/u.exec(agent) ?? [];
  if (attempt === undefined) return `resolver/${plain(agent.split(' ').at(-2) ?? 'conflict')}`;
  return `${task ?? 'root'}${attempt === '1' ? '' : `-${attempt}`}`;
}

/** What an argument is: the file that it is the content of, or its own name. */
function fileName(path: unknown, argument: string): string {
  const base = typeof path === 'string' ? (path.split('/').at(-1) ?? '') : '';
  if (argument === 'content' && plain(base) !== '') return plain(base);
  const own = plain(argument) || 'text';
  return base === '' ? `${own}.txt` : `${plain(base) || 'file'}.${own}.txt`;
}

/** Only what every file system and shell takes as it is, and no hidden file. */
function plain(name: string): string {
  return name
    .replaceAll(/[^\w.-]+/gu, '-')
    .replaceAll(/^[.-]+|[.-]+$/gu, '')
    .slice(0, 80);
}

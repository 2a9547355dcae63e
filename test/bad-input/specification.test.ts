import { chmod, mkdir, symlink, truncate } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { greeterBuild, greeterFiles } from '../command-line/greeter.ts';
import { inProcess } from '../command-line/in-process.ts';
import { Project } from '../command-line/project.ts';
import { expectRefusal } from './refusal.ts';

let project: Project;
beforeEach(async () => {
  project = await Project.create(greeterFiles());
}, 120_000);
afterEach(async () => {
  await project[Symbol.asyncDispose]();
});

async function expectRefused(spec: string, ...words: readonly (RegExp | string)[]): Promise<void> {
  await expectRefusal(project, await inProcess(project, greeterBuild.with(1, spec)), [spec, ...words]);
}

describe('a specification is refused, and what to do is said, when it', () => {
  it('is missing', async () => {
    const end = await project.run(greeterBuild.with(1, 'nowhere.md'));
    await expectRefusal(project, end, [
      project.path('nowhere.md'),
      'there is no specification at',
      'check the path',
    ]);
  });

  it('lies below something that is no folder', async () => {
    await expectRefused('spec.md/inner.md', /check the path|name another/u);
  });

  it.each([
    ['is empty', ''],
    ['holds only blanks', ' \n\t\r\n\n'],
  ])('%s', async (_, content) => {
    await project.write('other.md', content);
    await expectRefused('other.md', 'holds no specification', 'write what is to be built');
  });

  it.each([
    ['is binary', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3)],
    ['is text in another encoding than UTF-8', Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a)],
  ])('%s', async (_, content) => {
    await project.write('other.md', content);
    await expectRefused('other.md', 'is not text in utf-8', /\.md, \.txt or \.html file in UTF-8/u);
  });

  it('is a page in another encoding than it names', async () => {
    await project.write('other.html', Uint8Array.of(0x3c, 0x70, 0x3e, 0x63, 0x61, 0x66, 0xe9));
    await expectRefused('other.html', 'is not text in utf-8', 'in UTF-8');
    const bytes = [...Buffer.from('<meta charset="shift_jis">'), 0xff, 0xfe, 0xa0];
    await project.write('other.html', Uint8Array.from(bytes));
    await expectRefused('other.html', 'is not text in shift_jis', 'in UTF-8');
  });

  it('is a page in an encoding that is unknown', async () => {
    await project.write('other.html', '<meta charset="klingon"><p>nuqneH');
    await expectRefused('other.html', 'unknown here (klingon)', 'save it in UTF-8');
  });

  it('is a page that is filled by a script', async () => {
    await project.write('other.html', '<title>App</title><div id="root"></div><script>start()</script>');
    await expectRefused('other.html', 'holds no specification', 'write what is to be built');
  });

  it('is too large', async () => {
    await project.write('other.html', '<p>text');
    await truncate(project.path('other.html'), 33 * 1024 ** 2);
    await expectRefused('other.html', 'too large', 'the most is 32 MB', 'split it');
  });

  it('is a file of another kind', async () => {
    await project.write('other.docx', 'words');
    await expectRefused('other.docx', 'no .md, .txt or .html file', 'name one that is');
  });

  it('is a folder without documents', async () => {
    await mkdir(project.path('documents'));
    await expectRefused(
      'documents',
      /no \.md, \.txt or \.html file|holds no specification/u,
      /name one|write what/u,
    );
  });

  it('is a link that leads round in a circle', async () => {
    await symlink('round.md', project.path('round.md'));
    await expectRefused('round.md', /cannot be read/u, 'name another');
  });

  it('may not be read', async () => {
    await chmod(project.path('spec.md'), 0);
    // The superuser reads everything, unless its capabilities are taken away.
    const within = ['bwrap', '--dev-bind', '/', '/', '--cap-drop', 'ALL'];
    const end = await project.run(greeterBuild, { within });
    await expectRefusal(project, end, [project.path('spec.md'), 'cannot be read', 'change its rights']);
  });
});

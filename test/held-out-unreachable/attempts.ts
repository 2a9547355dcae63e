import { repository } from '../command-line/build-once.ts';
import type { WrittenCall } from '../command-line/greeter.ts';
import { suiteFile, suiteFolder } from './canaries.ts';

/** What an agent may try, and what it must get at most. */
export interface Attempt {
  readonly how: string;
  readonly call: WrittenCall;
  /** What the result must look like. */
  readonly gets: RegExp;
}

/** Links in the workspace, which an import takes to trunk: name -> target. */
export const plantedLinks: Readonly<Record<string, string>> = {
  'link-to-file': suiteFile,
  'link-to-folder': suiteFolder,
  'link-by-dots': `../../../../../../../../../..${suiteFile}`,
};

function command(how: string, text: string, gets: RegExp): Attempt {
  return { how, call: { tool: 'run_command', args: { command: text } }, gets };
}

function tool(name: string, args: Readonly<Record<string, unknown>>, gets: RegExp): Attempt {
  const how = `${name} ${Object.values(args).join(', ')}`;
  return { how: how.replaceAll(repository, ''), call: { tool: name, args }, gets };
}

const nothing =
  /^exit=[1-9]\d* .*\n(?:changed, not kept: .*\n)?(?:.*(?:No such file|Not a directory|not found|ENOENT|cannot access).*\n?)+$/u;
const noOutput = /^exit=\d+ ended=exit changed=\d+$/u;

export const commandAttempts: readonly Attempt[] = [
  command('its path', `cat ${suiteFile}`, nothing),
  command('its path from the checkout upwards', `cat ../../../../../../../..${suiteFile}`, nothing),
  command('the test folder of the project', `ls ${repository}/test ${repository}/test/held-out`, nothing),
  command('a link on trunk', 'cat link-to-file', nothing),
  command('a link on trunk to its folder', 'ls link-to-folder/', nothing),
  command('a link on trunk by dots', 'cat link-by-dots', nothing),
  command('a link of its own', `ln -s ${suiteFolder} own && ls own/`, nothing),
  command('a link of its own that an earlier command made', 'cat own/select.test', nothing),
  command(
    'a folder of the checkout that it replaces by a link',
    `rm -r notes && ln -s ${suiteFolder} notes && ls notes/`,
    nothing,
  ),
  command('the folder that an earlier command replaced', 'ls notes', /^exit=0 .*\nmine\.md\n?$/u),
  command('the root in /proc', `cat /proc/self/root${suiteFile}`, nothing),
  command('the working folder in /proc', `cat /proc/self/cwd/..${suiteFile}`, nothing),
  command(
    'the roots of all processes',
    `cat /proc/[0-9]*/root${suiteFile} /proc/[0-9]*/cwd/../..${suiteFile}`,
    nothing,
  ),
  command(
    'the open files of all processes',
    'ls -l /proc/[0-9]*/fd | grep -c held-out',
    /^exit=1 .*\n0\n?$/u,
  ),
  command('the environment', `env | grep -e ${repository}/test -e held`, noOutput),
  command(
    'the environments of all processes',
    "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -e held",
    noOutput,
  ),
  command('the folder it came from', 'cd - 2>&1; ls "$OLDPWD"/test/held-out', /OLDPWD not set|No such file/u),
  command(
    'a search of all that there is',
    "find / -path /proc -prune -o \\( -path '*held-out*' -o -name select.test \\) -print 2>/dev/null",
    noOutput,
  ),
  command(
    'the history of the project',
    `git -C ${repository} show HEAD:test/held-out/minisql/select.test`,
    /^exit=(?:12[78]) /u,
  ),
  command(
    'Node',
    `node -p "require('node:fs').readFileSync('${suiteFile}', 'utf8')" 2>&1 | grep -o -m1 ENOENT`,
    /^exit=0 .*\nENOENT\n?$/u,
  ),
  // In a namespace of its own, so that it would be gone with the command.
  command('a mount', `mkdir m; unshare -Urm sh -c 'mount --bind ${suiteFolder} m && ls m'`, /^exit=[1-9]/u),
];

const refused = /^outcome=invalid problem=/u;
/** Nothing, or the link itself. */
const empty = /^folder=\S+ files=(?:0(?:\n.*)?|1\nlink-to-folder\t\d+)$/u;
const noMatch = /^(?:matches=0(?: files=0)?(?:\n.*)*|outcome=invalid.*)$/u;

export const readingAttempts: readonly Attempt[] = [
  tool('read_file', { path: suiteFile }, refused),
  tool('read_file', { path: `../../../../../../..${suiteFile}` }, refused),
  tool('read_file', { path: `notes/../../../../../../../..${suiteFile}` }, refused),
  tool('read_file', { path: `file://${suiteFile}` }, refused),
  tool('read_file', { path: '/proc/self/cwd/test/held-out/minisql/select.test' }, refused),
  tool('read_file', { path: 'test/held-out/minisql/select.test' }, refused),
  tool(
    'read_file',
    { path: 'link-to-file' },
    /^path=link-to-file link=\S+\nnote: a symbolic link; it is not followed$/u,
  ),
  tool(
    'read_file',
    { path: 'link-by-dots' },
    /^path=link-by-dots link=\S+\nnote: a symbolic link; it is not followed$/u,
  ),
  tool('read_file', { path: 'link-to-folder/select.test' }, refused),
  tool('list_files', { folder: suiteFolder }, empty),
  tool('list_files', { folder: '..' }, empty),
  tool('list_files', { folder: '/' }, /^(?:folder=\S+ files=0|folder=\. files=\d+|outcome=invalid)/u),
  tool('list_files', { folder: 'link-to-folder' }, empty),
  tool('search', { query: 'CREATE TABLE' }, noMatch),
  tool('search', { query: 'CREATE TABLE', folder: suiteFolder }, noMatch),
  tool('search', { query: 'CREATE TABLE', folder: 'link-to-folder' }, noMatch),
  tool('spec_read', { section: suiteFile }, refused),
  tool('spec_read', { section: '../test/held-out/minisql/select.test' }, refused),
  tool('spec_search', { query: 'CREATE TABLE' }, noMatch),
];

export const writingAttempts: readonly Attempt[] = [
  tool('edit_file', { path: 'link-to-file', old: 'CREATE TABLE', new: 'x' }, refused),
  tool('edit_file', { path: 'link-to-folder/select.test', old: 'CREATE TABLE', new: 'x' }, refused),
  tool('write_file', { path: 'link-to-folder/planted.test', content: 'x' }, refused),
  tool('move_file', { from: 'link-to-folder/select.test', to: 'mine.test' }, refused),
  tool('move_file', { from: 'link-to-file', to: 'moved-link' }, /^outcome=moved/u),
  tool(
    'read_file',
    { path: 'moved-link' },
    /^path=moved-link link=\S+\nnote: a symbolic link; it is not followed$/u,
  ),
  command('a link that it has moved', 'cat moved-link', nothing),
];

import { describe, expect, it } from 'vitest';
import { bubblewrapArguments, type BubblewrapOptions } from './bubblewrap.ts';

const options: BubblewrapOptions = {
  version: '0.8.0',
  toolchains: {
    mounts: [
      { kind: 'read-only', source: '/usr', target: '/usr' },
      { kind: 'link', source: 'usr/bin', target: '/bin' },
    ],
    path: ['/usr/bin', '/bin'],
  },
  checkout: '/store/checkouts/c1',
  files: new Map([['/etc/passwd', '/store/checkouts/etc/passwd']]),
  guarded: ['/proc/sys'],
  command: ['/bin/sh', '-c', 'true'],
};

describe('the arguments of bubblewrap', () => {
  it('are what the sandbox promises', () => {
    expect(bubblewrapArguments(options).join(' ').replaceAll(' --', '\n--')).toMatchInlineSnapshot(`
      "--unshare-all
      --die-with-parent
      --new-session
      --cap-drop ALL
      --clearenv
      --unshare-user
      --disable-userns
      --uid 1000
      --gid 1000
      --hostname sandbox
      --setenv CI 1
      --setenv HOME /tmp/home
      --setenv LANG C.UTF-8
      --setenv NO_COLOR 1
      --setenv PATH /usr/bin:/bin
      --setenv TERM dumb
      --setenv TMPDIR /tmp
      --setenv TZ UTC
      --size 1073741824
      --tmpfs /tmp
      --dir /tmp/home
      --ro-bind /usr /usr
      --symlink usr/bin /bin
      --ro-bind /store/checkouts/etc/passwd /etc/passwd
      --proc /proc
      --ro-bind /proc/sys /proc/sys
      --dev /dev
      --size 268435456
      --tmpfs /dev/shm
      --remount-ro /dev
      --bind /store/checkouts/c1 /checkout
      --chdir /checkout
      --remount-ro /
      -- /bin/sh -c true"
    `);
  });

  it('leave out what older versions do not know', () => {
    const old = bubblewrapArguments({ ...options, version: '0.6.1' });
    expect(old).not.toContain('--size');
    expect(old).not.toContain('--disable-userns');
    expect(bubblewrapArguments({ ...options, version: '0.11.0' })).toContain('--disable-userns');
  });

  it('end with a root that is read-only, then the command', () => {
    expect(bubblewrapArguments(options).slice(-6)).toEqual([
      '--remount-ro',
      '/',
      '--',
      '/bin/sh',
      '-c',
      'true',
    ]);
  });
});

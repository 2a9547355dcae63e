import { expect, it } from 'vitest';
import { SafeLog } from './safe-log.ts';

it('writes no key that it knows, whoever writes it', () => {
  const lines: string[] = [];
  const write = (text: string | Error): void => {
    lines.push(String(text));
  };
  const log = new SafeLog({ debug: write, info: write, warn: write, error: write, show: () => undefined });
  log.hide(['sk-secret-1234', 'sk']);
  log.debug('sent sk-secret-1234 and sk-secret-1234');
  log.error(new Error('401 for sk-secret-1234'));
  log.info('a task asks');
  expect(lines.join('\n')).not.toContain('sk-secret-1234');
  expect(lines[0]).toBe('sent [redacted] and [redacted]');
  expect(lines[1]).toContain('401 for [redacted]');
  expect(lines[2]).toBe('a task asks');
});

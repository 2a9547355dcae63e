import { expect, it } from 'vitest';
import type { ApprovalNeed } from '#protocol/landing-events.ts';
import { needsApproval, waitingReason, type WaitingFile } from './waiting-reason.ts';

function waiting(reason: string, need?: ApprovalNeed): WaitingFile {
  return { path: 'a', result: 'waits', reason, ...need };
}

it('an approval is asked for in words', () => {
  const file = waiting('it needs your approval', { approval: 'coding-agents' });
  expect(waitingReason(file)).toBe('coding agents obey it; it needs your approval');
  expect(needsApproval(file)).toBe(true);
});

it('a link says where it leads', () => {
  const need = { approval: 'link-outside', linksTo: '/etc/passwd' } as const;
  expect(waitingReason(waiting('it needs your approval', need))).toBe(
    'it links to /etc/passwd; it needs your approval',
  );
});

it('what an earlier version has journalled reads as it did', () => {
  const old = waiting('git reads it; it needs your approval');
  expect([waitingReason(old), needsApproval(old)]).toEqual([old.reason, true]);
  const other = waiting('the file is read-only');
  expect([waitingReason(other), needsApproval(other)]).toEqual([other.reason, false]);
});

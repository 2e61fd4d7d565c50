// Turns a table of bodies that must be refused into tests.
import assert from 'node:assert/strict';
import { validateRequest } from '../../support/messagesServer/validateRequest.ts';

/** What is wrong, the body, and what the message of the 400 must contain. */
export type Refusal = readonly [name: string, body: unknown, message: string];

/** Declares one test for each body. */
export function itRefuses(table: readonly Refusal[]): void {
  for (const [name, body, message] of table) {
    it(`refuses ${name}`, () => {
      const error = validateRequest(body);
      assert.ok(error !== undefined, 'it was accepted');
      assert.ok(error.message.includes(message), `got: ${error.message}\nwanted: ${message}`);
      assert.deepEqual([error.status, error.type], [400, 'invalid_request_error']);
    });
  }
}

import assert from 'node:assert/strict';
import { hostOfAddress, secretsOfAddress, shownAddress } from '../../../src/core/serverAddress.ts';
import { checkedBaseURL } from '../../../src/model/client.ts';

/** As people write them, with the password `hunter-22` in each. */
const withPassword = [
  'https://ada:hunter-22@gateway.example/api',
  'https://:hunter-22@gateway.example',
  'https://hunter-22@gateway.example',
  'ada:hunter-22@gateway.example',
  'ftp://ada:hunter-22@gateway.example',
  'https://ada:hunter-22@',
  'https://ada:hunter-22@gate way',
  'http://ada:x@hunter-22@gateway.example',
  '//ada:hunter-22@gateway.example',
  'https://gateway.example?key=hunter-22',
  'https://gateway.example/v1#hunter-22',
  'https://gateway.example/a?b=hunter-22@c',
];

describe('an address with a password in it', () => {
  for (const address of withPassword) {
    it(`is refused and never shown: ${address}`, () => {
      assert.doesNotMatch(shownAddress(address), /hunter-22/);
      assert.doesNotMatch(hostOfAddress(address), /hunter-22/);
      assert.throws(
        () => checkedBaseURL(address),
        (error) => error instanceof Error && !error.message.includes('hunter-22'),
      );
    });
  }

  it('is known for redaction', () => {
    for (const address of withPassword.slice(0, 7)) assert.ok(secretsOfAddress(address).includes('hunter-22'), address);
    assert.deepEqual(secretsOfAddress('https://a:p%40ss-word@b'), ['p%40ss-word', 'p@ss-word']);
    assert.ok(secretsOfAddress('https://gateway.example?key=hunter-22').includes('hunter-22'));
    assert.deepEqual(secretsOfAddress('http://localhost:11434'), []);
  });

  it('without one it is shown and named by its host', () => {
    assert.equal(shownAddress(' http://localhost:11434/v1 '), 'http://localhost:11434/v1');
    assert.equal(hostOfAddress('http://localhost:11434/v1'), 'localhost:11434');
    assert.equal(hostOfAddress(' '), '');
  });
});

import assert from 'node:assert/strict';
import { createExportRedactor } from '../../../src/core/exportRedaction.ts';

const token = `ghp_${'a1'.repeat(15)}`;

describe('what was taken out of an export', () => {
  it('is shown with what stands around it, and with a mark where that was cut', () => {
    const place = (text: string): string | undefined => {
      const redactor = createExportRedactor([]);
      redactor.text(text);
      return redactor.redactions()[0]?.places[0];
    };
    assert.equal(place(`echo ${token} now`), 'echo [redacted] now');
    const long = place(`${'before '.repeat(20)}${token}${' after'.repeat(20)}`);
    assert.match(long ?? '', /^….*before \[redacted\] after.*…$/);
  });
});

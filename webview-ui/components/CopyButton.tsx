// Copies a text and says so for a moment.
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../../src/core/errors.ts';
import { IconButton } from './Button.tsx';
import { usePanel } from './context.ts';

const saidForMs = 1500;

export function CopyButton(props: { readonly text: () => string; readonly label: string; readonly class?: string }) {
  const { post } = usePanel();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), saidForMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (): void => {
    navigator.clipboard.writeText(props.text()).then(
      () => setCopied(true),
      (error: unknown) => post({ type: 'panelError', message: `Copying failed: ${messageOf(error)}` }),
    );
  };
  return (
    <IconButton
      icon={copied ? 'check' : 'copy'}
      label={props.label}
      hint={copied ? 'Copied' : props.label}
      class={props.class ?? ''}
      onPress={copy}
    />
  );
}

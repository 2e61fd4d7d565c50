// Keeps a part that fails to draw from taking the rest with it, and tries again when what it shows has changed.
import { Component, type ComponentChildren } from 'preact';
import { messageOf } from '../../src/core/errors.ts';
import { PanelContextHolder } from './context.ts';

interface Props {
  /** What is drawn goes by this: another one is another try. */
  readonly of: unknown;
  readonly children: ComponentChildren;
}

export class Guarded extends Component<Props, { failed?: { readonly of: unknown } }> {
  static override contextType = PanelContextHolder;
  declare context: unknown;

  override componentDidCatch(error: unknown): void {
    this.setState({ failed: { of: this.props.of } });
    const stack = error instanceof Error ? error.stack : undefined;
    const panel = this.context as { post?: (message: unknown) => void } | undefined;
    panel?.post?.({ type: 'panelError', message: messageOf(error), ...(stack !== undefined && { stack }) });
  }

  override render() {
    const { failed } = this.state;
    if (failed && failed.of === this.props.of)
      return (
        <p class="not-drawn">This part could not be drawn. It is in the trace, and tried again when it changes.</p>
      );
    return this.props.children;
  }
}

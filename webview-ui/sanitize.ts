// HTML made from an answer → HTML that may be drawn. The last gate: nothing reaches innerHTML that was not here.
import DOMPurify from 'dompurify';
import { linkTarget } from './links.ts';

const allowedTags = (
  'a p br hr em strong del code pre kbd sub sup span div blockquote ul ol li ' +
  'h1 h2 h3 h4 h5 h6 table thead tbody tr th td'
).split(' ');

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName !== 'A') return;
  const href = node.getAttribute('href') ?? '';
  if (linkTarget(href)) {
    node.setAttribute('title', href);
  } else {
    node.removeAttribute('href');
  }
});

/** No styles, no images, no ids, no handlers; links keep their `href` only where the panel can open it. */
export function sanitize(html: string): string {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: ['href', 'class', 'align', 'start', 'tabindex'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
}

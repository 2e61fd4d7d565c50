// `node webview-ui/gallery/serve.ts [port]`: the panel in a browser, in each of its states and four themes.
import { startGallery } from './build.ts';

const gallery = await startGallery(Number(process.argv[2] ?? 0));
console.log(`${gallery.url} (Ctrl+C ends it)`);

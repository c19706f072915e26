// How the pages are built, and served while one writes them.
import { join } from 'node:path'
import { defineConfig } from 'vite'

const server = process.env.BLOOMERY_DEV_SERVER ?? 'http://localhost:8080'

// biome-ignore lint/style/noDefaultExport: the tool asks for one.
export default defineConfig({
  root: import.meta.dirname,
  base: '/-/assets/',
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  build: {
    outDir: join(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    assetsDir: '',
    assetsInlineLimit: 0,
    target: 'es2023',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
    // One file of styles: all of it is smaller than the requests that parts would cost.
    cssCodeSplit: false,
    rolldownOptions: {
      // On a busy machine any plugin is slow; nobody who installs wants to read of it.
      checks: { bundlerTimings: false },
      output: {
        // What every page leans on is one file, whatever pages share beyond it.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules.(?:@?preact|.*signals)|web.(?:api.(?!impersonation)|ui.(?!members|badges.badges|clone-box|own-branch|path-fields|broadcast|progress|side-nav|page.(?:admin|own-settings|settings)|refusal.translate)|text.(?:issues|conversation|roles|merge-requests)|features.(?:planning.issues.issue-calls|review.merge-requests.request-calls)|surfaces.(?:html|code|prose.prose|conversation.(?:drafts|lazy|text-context|use-send)|issuable.overdue|line-diff.(?:lazy|conflict)|log.plain-line|diff.diff-query)|app.(?!pages|palette|key-help|api-help|soon|redirect-pages|broadcast-place|impersonation-band))/,
            },
            {
              name: 'settings',
              test: /web.(?:text.(?:own-settings|settings|programs|operate-places)|ui.page.(?:own-settings|settings)|surfaces.operate)/,
            },
            { name: 'members', test: /web.(?:ui|text).members/ },
            {
              name: 'issuable-list',
              test: /web.surfaces.issuable.(?:row|list|filter|bulk|issuable-filter)/,
            },
            {
              name: 'admin',
              test: /web.(?:ui.(?:broadcast|progress|side-nav|page.admin)|text.admin-places|api.(?:use-polling|impersonation))/,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '^/(api|uploads|-/health)': server, '/-/raw/': server },
  },
})

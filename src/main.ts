import { enableCompileCache } from 'node:module'

// Before anything else is imported: stripped and compiled sources are kept, which halves the start.
enableCompileCache()
const { run } = await import('./serve.ts')
await run(process.argv.slice(2), process.env)

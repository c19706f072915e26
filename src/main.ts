import { enableCompileCache } from 'node:module'

// Before anything else is imported: stripped and compiled sources are kept, which halves the start and
// spares the memory of the compiler. Where NODE_COMPILE_CACHE is set, as `npm start` does, this file
// and the spawn helper are kept too.
enableCompileCache()
const [command, ...args] = process.argv.slice(2)
if (command === 'ci') {
  // Beside the server, of which it needs nothing.
  const { runCiCommand } = await import('./ci-command.ts')
  process.exitCode = await runCiCommand(args, process.cwd(), (text) => process.stdout.write(text))
} else if (command === 'runner') {
  // A program of its own, which shares nothing with the server but what both say to each other.
  const { runRunnerCommand } = await import('../runner/main.ts')
  await runRunnerCommand(args)
} else {
  const { isCommandName } = await import('./commands/command-names.ts')
  if (command !== undefined && isCommandName(command)) {
    // What is done to the data of a server, which may be running.
    const { runCommandLine } = await import('./commands/command-line.ts')
    process.exitCode = await runCommandLine(command, args, process.env)
  } else {
    const { readWorkerCount } = await import('./config.ts')
    const workers = command === 'serve' ? readWorkerCount(process.env) : 1
    if (workers > 1) {
      const { superviseWorkers } = await import('./cluster/supervisor.ts')
      process.exit(await superviseWorkers(import.meta.filename, workers))
    }
    const { runServer } = await import('./serve.ts')
    await runServer(process.argv.slice(2), process.env, import.meta.filename)
  }
}

import { freePort } from '../../tools/server-process.ts'
import { atFileEnd } from './file-end.ts'
import { type Server, startServer } from './server.ts'
import { startSmtp } from './smtp.ts'

/**
 * Starts a server that sends emails, and the mail server that receives them, until the test file ends. The server knows
 * its own address, so links in emails lead to it.
 */
export async function startMailingServer(settings: Record<string, string> = {}): Promise<{
  server: Server
  mail: Awaited<ReturnType<typeof startSmtp>>
}> {
  const mail = await startSmtp()
  atFileEnd(() => mail.close())
  const port = await freePort()
  const server = await startServer({
    BLOOMERY_PORT: String(port),
    BLOOMERY_URL: `http://127.0.0.1:${port}`,
    BLOOMERY_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    ...settings,
  })
  return { server, mail }
}

// The least an API server can be: bare Fastify that answers a row found by an indexed look-up, or as many
// bytes of JSON as it is asked for, or keeps the JSON it is sent as a row, synced before it answers.
// `floor-server.ts <port> <database file> [<URL of PostgreSQL, for what it keeps>]`
import Database from 'better-sqlite3'
import fastify from 'fastify'
import pg from 'pg'

const [port = '0', path = ':memory:', postgresUrl] = process.argv.slice(2)
const rows = 10_000

const database = new Database(path)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec('create table if not exists things (id integer primary key, name text, note text)')
database.exec('create unique index if not exists things_name on things (name)')
const fill = database.prepare('insert or ignore into things (name, note) values (?, ?)')
database.transaction(() => {
  for (let number = 0; number < rows; number++) fill.run(`thing-${number}`, 'x'.repeat(200))
})()
const find = database.prepare('select id, name, note from things where name = ?')

const app = fastify()
app.get<{ Params: { name: string } }>('/things/:name', async (request) =>
  find.get(request.params.name),
)
database.exec('create table if not exists sent (id integer primary key, body text)')
const keep = database.prepare('insert into sent (body) values (?) returning id')
const pool = postgresUrl === undefined ? undefined : new pg.Pool({ connectionString: postgresUrl })
await pool?.query('create table sent (id bigserial primary key, body text)')
const text = 'insert into sent (body) values ($1) returning id'
app.post('/sent', async ({ body }) =>
  pool
    ? (await pool.query({ name: 'keep', text, values: [JSON.stringify(body)] })).rows[0]
    : keep.get(JSON.stringify(body)),
)
const texts = new Map<number, string>()
app.get<{ Params: { count: string } }>('/bytes/:count', async (request, reply) => {
  const count = Number(request.params.count)
  const text = texts.get(count) ?? JSON.stringify('x'.repeat(count - 2))
  texts.set(count, text)
  return reply.header('content-type', 'application/json').send(text)
})
await app.listen({ host: '127.0.0.1', port: Number(port) })
process.on('SIGTERM', () => process.exit(0))

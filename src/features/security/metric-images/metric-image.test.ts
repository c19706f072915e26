import { beforeAll, expect, it } from 'vitest'
import { newIntegration, notify } from '../../../../test/kit/alerts.ts'
import { multipart, png } from '../../../../test/kit/form.ts'
import { newWorld, type Who, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

async function newAlert() {
  const project = await world.newProject()
  const integration = await newIntegration(world, { project_id: project.id })
  await notify(world, integration)
  return { project, url: `/projects/${project.id}/alert_management_alerts/1/metric_images` }
}

function add(url: string, fields: Record<string, string> = {}, who: Who = 'developer') {
  const form = multipart({ file: { filename: 'load.png', content: png() }, ...fields })
  return world.as(who).post(url, form.body, form.options)
}

it('pictures are added, listed, changed and removed', async () => {
  const { project, url } = await newAlert()
  const link = { url: 'https://graphs.test/load', url_text: 'Load' }
  const made = await add(url, link)
  const record = {
    id: expect.any(Number),
    created_at: world.app.clock.now().toISOString(),
    filename: 'load.png',
    file_path: expect.stringMatching(
      new RegExp(`^/${project.full_path}/uploads/[0-9a-f]{32}/load\\.png$`),
    ),
    ...link,
  }
  expect([made.statusCode, made.json()]).toEqual([201, record])
  const bare = await add(url)
  expect(bare.json()).toMatchObject({ url: null, url_text: null })
  const developer = world.as('developer')
  expect((await developer.get(url)).json()).toEqual([made.json(), bare.json()])
  const changed = await developer.put(`${url}/${made.json().id}`, { url_text: 'More' })
  expect([changed.statusCode, changed.json()]).toEqual([200, { ...made.json(), url_text: 'More' }])
  const shown = await world.app.server.inject({
    method: 'GET',
    url: made.json().file_path,
    headers: { host: 'bloomery.test', 'private-token': world.token('developer') },
  })
  expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/png'])
  expect(shown.rawPayload).toEqual(png())
  const gone = await developer.delete(`${url}/${made.json().id}`)
  expect([gone.statusCode, gone.body]).toEqual([204, ''])
  expect((await developer.get(url)).json()).toEqual([bare.json()])
  const after = await world.app.server.inject({
    method: 'GET',
    url: made.json().file_path,
    headers: { host: 'bloomery.test', 'private-token': world.token('developer') },
  })
  expect(after.statusCode).toBe(404)
})

it.each([
  ['anonymous', 401],
  ['outsider', 404],
  ['guest', 403],
  ['reporter', 403],
] as const satisfies [Who, number][])('pictures answer a %s with %i', async (who, status) => {
  const { url } = await newAlert()
  const { id } = (await add(url)).json()
  for (const answer of [
    await add(url, {}, who),
    await world.as(who).get(url),
    await world.as(who).put(`${url}/${id}`, { url_text: 'x' }),
    await world.as(who).delete(`${url}/${id}`),
  ]) {
    expect(answer.statusCode).toBe(status)
  }
})

it.each([
  [{ url: 'javascript:alert(1)' }, { url: ['is blocked: Only allowed schemes are http, https'] }],
  [{ url: 'http://' }, { url: ['is blocked: URI is invalid'] }],
  [
    { url: `http://x.test/${'x'.repeat(2048)}` },
    { url: ['is too long (maximum is 2048 characters)'] },
  ],
  [{ url_text: 'x'.repeat(129) }, { url_text: ['is too long (maximum is 128 characters)'] }],
])('pictures have no link like %j', async (fields, message) => {
  const { url } = await newAlert()
  const answer = await add(url, fields as Record<string, string>)
  expect([answer.statusCode, answer.json()]).toEqual([400, { message }])
  const { id } = (await add(url)).json()
  const changed = await world.as('developer').put(`${url}/${id}`, fields)
  expect([changed.statusCode, changed.json()]).toEqual([400, { message }])
})

it('pictures are nothing else, and of alerts that are there', async () => {
  const { project, url } = await newAlert()
  const form = multipart({ file: { filename: 'a.svg', content: Buffer.from('<svg/>') } })
  const other = await world.as('developer').post(url, form.body, form.options)
  expect([other.statusCode, other.json()]).toEqual([
    400,
    { message: { file: ['is not a picture'] } },
  ])
  const none = await world.as('developer').post(url, {})
  expect([none.statusCode, none.json()]).toEqual([400, { error: 'file is missing' }])
  const far = `/projects/${project.id}/alert_management_alerts/9/metric_images`
  for (const answer of [
    await add(far),
    await world.as('developer').get(far),
    await world.as('developer').put(`${url}/9999999`, { url_text: 'x' }),
    await world.as('developer').delete(`${url}/9999999`),
  ]) {
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: '404 Not found' }])
  }
  expect((await world.as('developer').get(url)).json()).toEqual([])
})

it('pictures are a hundred at the most', async () => {
  const { url } = await newAlert()
  for (let at = 0; at < 100; at++) expect((await add(url)).statusCode).toBe(201)
  const answer = await add(url)
  expect([answer.statusCode, answer.json()]).toEqual([
    400,
    { message: { base: ['Maximum number of metric images (100) exceeded'] } },
  ])
})

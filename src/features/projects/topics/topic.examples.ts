import { type Examples, keep, nothing, unique, withBody } from '../../../../test/kit/examples.ts'

const topic = keep(async (world) => {
  const made = await world.as('admin').post('/topics', { name: unique() })
  return { path: { topic_id: made.json().id } }
})

export const examples: Examples = {
  'GET /topics': nothing,
  'GET /topics/:topic_id': topic,
  'POST /topics': withBody(nothing, () => ({ name: unique() })),
  'PUT /topics/:topic_id': withBody(topic, { description: 'd' }),
  'DELETE /topics/:topic_id': topic,
  'POST /topics/merge': withBody(nothing, async (world) => {
    const { path: source } = await topic(world)
    const target = await world.as('admin').post('/topics', { name: unique() })
    return { source_topic_id: source.topic_id, target_topic_id: target.json().id }
  }),
}

import { newIntegration, notify } from '../../../../test/kit/alerts.ts'
import { type Examples, keep, withBody } from '../../../../test/kit/examples.ts'
import { multipart, png } from '../../../../test/kit/form.ts'

const url = '/projects/:id/alert_management_alerts/:alert_iid/metric_images'

const picture = () => multipart({ file: { filename: 'a.png', content: png() } })

/** An alert with a picture. */
const image = keep(async (world) => {
  const { id } = await world.newProject()
  const integration = await newIntegration(world, { project_id: id })
  const [{ iid }] = (await notify(world, integration)).json()
  const { body, options } = picture()
  const place = `/projects/${id}/alert_management_alerts/${iid}/metric_images`
  const made = await world.as('admin').post(place, body, options)
  return { path: { id, alert_iid: iid, image_id: made.json().id } }
})

export const examples: Examples = {
  [`GET ${url}`]: image,
  [`POST ${url}`]: async (world, who) => {
    const { body, options } = picture()
    const client = world.as(who)
    return {
      ...(await image(world)),
      client: { ...client, post: (place) => client.post(place, body, options) },
    }
  },
  [`PUT ${url}/:image_id`]: withBody(image, { url_text: 'More' }),
  [`DELETE ${url}/:image_id`]: image,
}

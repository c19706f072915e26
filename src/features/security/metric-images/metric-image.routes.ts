import { Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import type { Rule } from '../../../access/rule.ts'
import { type Context, endpointFactory } from '../../../http/endpoint.ts'
import { atLeastOneOf } from '../../../http/parameters.ts'
import { file, nullableText } from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { type FieldErrors, invalid, recordNotFound } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { lockOwner } from '../../../subjects/lock-owner.ts'
import { isUnarchived, type Project, projectLoader } from '../../../subjects/project.ts'
import { removeUpload, storeUpload } from '../../content/uploads/store-upload.ts'
import { inlineContentType } from '../../content/uploads/upload-name.ts'
import { findAlertId } from '../alerts/alert.ts'
import { MetricImageJson, presentMetricImage } from './metric-image.present.ts'
import {
  findMetricImage,
  insertMetricImage,
  listMetricImages,
  type MetricImage,
  updateMetricImage,
} from './metric-image.store.ts'

const readImages: Rule<Project> = ({ level }) => level >= Level.developer
const writeImages: Rule<Project> = (facts) => readImages(facts) && isUnarchived(facts.subject)

const endpoint = endpointFactory({
  tag: 'Alert metric images',
  on: projectLoader,
  signIn: 'always',
})
const url = '/projects/:id/alert_management_alerts/:alert_iid/metric_images' as const
const iidInput = { alert_iid: Type.Integer() }
const idInput = { ...iidInput, image_id: Type.Integer() }
const linkInput = { url: Type.Optional(nullableText), url_text: Type.Optional(nullableText) }

type ImageContext<Input> = Context<Project, Input>
type Link = { url?: string | null; url_text?: string | null }

async function getAlertId({
  db,
  subject: project,
  input,
}: ImageContext<{ alert_iid: number }>): Promise<number> {
  const id = await findAlertId(db, { project_id: project.id, iid: input.alert_iid })
  if (id === undefined) throw recordNotFound()
  return id
}

async function getImage(
  context: ImageContext<{ alert_iid: number; image_id: number }>,
): Promise<MetricImage> {
  const alert_id = await getAlertId(context)
  const image = await findMetricImage(context.db, { alert_id, id: context.input.image_id })
  if (!image) throw recordNotFound()
  return image
}

/** Throws 400 with the problems of the link that an image has. */
function checkLink({ url: address, url_text: text }: Link): void {
  const problems: FieldErrors = {}
  const { url_characters, url_text_characters } = limits.alerts
  const tooLong = (maximum: number) => [`is too long (maximum is ${maximum} characters)`]
  if (address && address.length > url_characters) problems.url = tooLong(url_characters)
  else if (address && !/^https?:\/\//i.test(address)) {
    problems.url = ['is blocked: Only allowed schemes are http, https']
  } else if (address && !URL.canParse(address)) problems.url = ['is blocked: URI is invalid']
  if (text && [...text].length > url_text_characters)
    problems.url_text = tooLong(url_text_characters)
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

export const metricImageEndpoints = [
  endpoint({
    route: `POST ${url}`,
    summary: 'Add a metric image to an alert',
    allow: writeImages,
    // The file is stored before the transaction begins.
    transaction: 'none',
    body_bytes_max: limits.content_body_bytes,
    input: Type.Object({ ...iidInput, file: file(), ...linkInput }),
    status: 201,
    answer: MetricImageJson,
    async run(context) {
      const { clock, subject: project, user, input } = context
      const alert_id = await getAlertId(context)
      checkLink(input)
      if (!inlineContentType(input.file.filename)?.startsWith('image/')) {
        throw invalid({ file: ['is not a picture'] })
      }
      const { metric_images_max: maximum } = limits.alerts
      const { url: address = null, url_text = null } = input
      const row = { alert_id, url: address, url_text, created_at: timestamp(clock) }
      const given = { project_id: project.id, uploaded_by_id: user.id, file: input.file }
      return storeUpload(context, given, async (tx, { id: upload_id, ...upload }) => {
        await lockOwner(tx, { kind: 'alert', id: alert_id })
        if ((await listMetricImages(tx, alert_id)).length >= maximum) {
          throw invalid({ base: [`Maximum number of metric images (${maximum}) exceeded`] })
        }
        const id = await insertMetricImage(tx, { ...row, upload_id })
        return presentMetricImage({ ...row, ...upload, id, upload_id }, project)
      })
    },
  }),

  endpoint({
    route: `GET ${url}`,
    summary: 'List the metric images of an alert',
    allow: readImages,
    input: Type.Object(iidInput),
    answer: Type.Array(MetricImageJson),
    async run(context) {
      const images = await listMetricImages(context.db, await getAlertId(context))
      return images.map((image) => presentMetricImage(image, context.subject))
    },
  }),

  endpoint({
    route: `PUT ${url}/:image_id`,
    summary: 'Update a metric image of an alert',
    allow: writeImages,
    input: Type.Object({ ...idInput, ...linkInput }),
    rules: [atLeastOneOf('url', 'url_text')],
    answer: MetricImageJson,
    async run(context) {
      const { db, input } = context
      const image = await getImage(context)
      const { url: address = image.url, url_text = image.url_text } = input
      const link = { url: address, url_text }
      checkLink(link)
      await updateMetricImage(db, image.id, link)
      return presentMetricImage({ ...image, ...link }, context.subject)
    },
  }),

  endpoint({
    route: `DELETE ${url}/:image_id`,
    summary: 'Delete a metric image of an alert',
    allow: writeImages,
    input: Type.Object(idInput),
    status: 204,
    async run(context) {
      const { upload_id } = await getImage(context)
      await removeUpload(context.db, context.clock, upload_id)
    },
  }),
]

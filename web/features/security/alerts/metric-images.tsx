// Pictures of what was measured when an alert was sent, each with a place it may lead to.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import type { MetricImage } from '../../../api/operations.ts'
import { useApi } from '../../../api/use-api.ts'
import { metricImages as words } from '../../../text/alerts.ts'
import { ui } from '../../../text/ui.ts'
import { Button } from '../../../ui/button/button.tsx'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { encodePath } from '../../../ui/navigation.ts'
import { OuterLink } from '../../../ui/outer-link.tsx'
import { Section } from '../../../ui/page/page.tsx'
import './metric-images.css'

type Of = { id: number; alert_iid: number }
const base = '/projects/:id/alert_management_alerts/:alert_iid/metric_images' as const

export function MetricImages({ of, mayWrite }: { of: Of; mayWrite: boolean }) {
  const { data } = useApi(`GET ${base}`, of)
  const [isAdding, setAdding] = useState(false)
  const after = () =>
    invalidate(`/api/v4/projects/${of.id}/alert_management_alerts/${of.alert_iid}/metric_images`)
  return (
    <Section
      title={words.title}
      actions={
        mayWrite && !isAdding ? <Button onClick={() => setAdding(true)}>{words.add}</Button> : null
      }
    >
      {isAdding ? (
        <Form
          action={words.upload}
          label={words.add}
          onSubmit={async (values) => {
            const file = values.file('file')
            if (!file) return
            const url = values.text('url').trim()
            const url_text = values.text('url_text').trim()
            await call(`POST ${base}`, {
              ...of,
              file,
              ...(url === '' ? {} : { url }),
              ...(url_text === '' ? {} : { url_text }),
            })
            after()
            setAdding(false)
          }}
          more={<Button onClick={() => setAdding(false)}>{ui.cancel}</Button>}
        >
          <TextField label={words.file} name="file" type="file" accept="image/*" required />
          <TextField label={words.url} hint={words.urlHint} name="url" type="url" />
          <TextField label={words.urlText} name="url_text" />
        </Form>
      ) : null}
      {data?.length === 0 && !isAdding ? <p class="muted">{words.empty}</p> : null}
      <ul class="stack" aria-label={words.title}>
        {data?.map((image) => (
          <Picture key={image.id} {...{ image, of, mayWrite, after }} />
        ))}
      </ul>
    </Section>
  )
}

type PictureProps = { image: MetricImage; of: Of; mayWrite: boolean; after: () => void }

function Picture({ image, of, mayWrite, after }: PictureProps) {
  const { id, filename, file_path, url, url_text } = image
  const name = url_text || filename
  const remove = () =>
    confirmBefore({
      title: words.removeTitle(name),
      text: words.removeText,
      action: words.remove,
      run: async () => {
        await call(`DELETE ${base}/:image_id`, { ...of, image_id: id })
        after()
      },
    })
  return (
    <li class="stack stack-close">
      <img class="metric-images-one" src={encodePath(file_path)} alt={name} loading="lazy" />
      <div class="row">
        <OuterLink href={url}>{name}</OuterLink>
        {mayWrite ? (
          <Button look="quiet" onClick={remove}>
            {words.remove}
            <span class="only-spoken"> {name}</span>
          </Button>
        ) : null}
      </div>
    </li>
  )
}

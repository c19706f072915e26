// The badges of a project or a group in its settings: listed, added with a preview, changed and deleted.
import { useEffect, useRef, useState } from 'preact/hooks'
import { invalidate } from '../../api/cache.ts'
import { call } from '../../api/call.ts'
import type { Badge, RenderedBadge } from '../../api/operations.ts'
import { Refusal } from '../../api/refusal.ts'
import { apiReadUrl, useApiUrl } from '../../api/use-api.ts'
import { badges as words } from '../../text/badges.ts'
import { Button } from '../button/button.tsx'
import { Chip } from '../chip/chip.tsx'
import { confirmBefore, Dialog } from '../dialog/dialog.tsx'
import { TextField } from '../field/field.tsx'
import { Form } from '../form/form.tsx'
import { List, ListRow } from '../list/list.tsx'
import { Menu } from '../menu/menu.tsx'
import { Section } from '../page/page.tsx'

type Owner = { kind: 'project' | 'group'; id: number }
type Texts = { name: string | null; link_url: string; image_url: string }

const per_page = 100
const typing_ms = 300

export function Badges({ owner }: { owner: Owner }) {
  const { kind, id } = owner
  const { data } = useApiUrl<Badge[]>(
    apiReadUrl(kind === 'group' ? 'GET /groups/:id/badges' : 'GET /projects/:id/badges', {
      id,
      per_page,
    }),
  )
  const [edited, setEdited] = useState<Badge | 'new'>()
  return (
    <Section
      id="badges"
      title={words.title}
      lead={kind === 'group' ? words.leadGroup : words.leadProject}
      actions={<Button onClick={() => setEdited('new')}>{words.add}</Button>}
    >
      {data?.length === 0 ? <p class="muted">{words.empty}</p> : null}
      {data && data.length > 0 ? (
        <List label={words.title}>
          {data.map((badge) => (
            <ListRow
              key={badge.id}
              aside={
                badge.kind === kind ? (
                  <>
                    <Button look="quiet" onClick={() => setEdited(badge)}>
                      {words.edit}
                      <span class="only-spoken"> {nameOf(badge)}</span>
                    </Button>
                    <Button look="quiet" onClick={() => askToDelete(owner, badge)}>
                      {words.delete}
                      <span class="only-spoken"> {nameOf(badge)}</span>
                    </Button>
                  </>
                ) : (
                  <Chip>{words.fromGroup}</Chip>
                )
              }
            >
              <div class="row">
                <Picture badge={badge} />
                {badge.name ? <span>{badge.name}</span> : null}
              </div>
            </ListRow>
          ))}
        </List>
      ) : null}
      {edited ? (
        <Edit
          owner={owner}
          badge={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
    </Section>
  )
}

const nameOf = ({ name, link_url }: { name: string | null; link_url: string }) => name || link_url

/** The badge as the page of a project shows it. */
function Picture({ badge }: { badge: RenderedBadge }) {
  const { rendered_image_url, rendered_link_url, name } = badge
  const [failed, setFailed] = useState('')
  return (
    <a href={rendered_link_url} rel="noreferrer" target="_blank">
      {failed === rendered_image_url ? (
        words.noImage
      ) : (
        <img
          src={rendered_image_url}
          alt={name || words.unnamed}
          height={20}
          onError={() => setFailed(rendered_image_url)}
        />
      )}
    </a>
  )
}

function touchBadges({ kind, id }: Owner): void {
  // The badges of a group are shown by its projects.
  invalidate(`/api/v4/${kind}s/${id}/badges`, ...(kind === 'group' ? ['/api/v4/projects/'] : []))
}

function askToDelete(owner: Owner, badge: Badge): void {
  confirmBefore({
    title: words.deleteTitle(nameOf(badge)),
    text: words.deleteText,
    action: words.deleteConfirm,
    run: async () => {
      const input = { id: owner.id, badge_id: badge.id }
      if (owner.kind === 'group') await call('DELETE /groups/:id/badges/:badge_id', input)
      else await call('DELETE /projects/:id/badges/:badge_id', input)
      touchBadges(owner)
    },
  })
}

async function saveBadge(
  { kind, id }: Owner,
  { badge, texts }: { badge: Badge | undefined; texts: Texts },
): Promise<void> {
  if (badge) {
    const input = { ...texts, id, badge_id: badge.id }
    if (kind === 'group') await call('PUT /groups/:id/badges/:badge_id', input)
    else await call('PUT /projects/:id/badges/:badge_id', input)
  } else if (kind === 'group') await call('POST /groups/:id/badges', { ...texts, id })
  else await call('POST /projects/:id/badges', { ...texts, id })
}

function Edit({
  owner,
  badge,
  onClose,
}: {
  owner: Owner
  badge: Badge | undefined
  onClose: () => void
}) {
  const [link_url, setLink] = useState(badge?.link_url ?? '')
  const [image_url, setImage] = useState(badge?.image_url ?? '')
  return (
    <Dialog isWide title={badge ? words.editTitle : words.add} onClose={onClose}>
      <Form
        action={badge ? words.save : words.add}
        onSubmit={async (values) => {
          const texts = { name: values.text('name') || null, link_url, image_url }
          await saveBadge(owner, { badge, texts })
          touchBadges(owner)
          onClose()
        }}
      >
        <TextField label={words.name} name="name" defaultValue={badge?.name ?? ''} />
        <AddressField
          label={words.link}
          hint={words.linkHint}
          name="link_url"
          value={link_url}
          onChange={setLink}
        />
        <AddressField
          label={words.image}
          hint={words.imageHint}
          name="image_url"
          value={image_url}
          onChange={setImage}
        />
        <Preview owner={owner} link_url={link_url} image_url={image_url} />
      </Form>
    </Dialog>
  )
}

/** An address with a menu of what it may have in it, which goes to where the caret was. */
function AddressField({
  label,
  hint,
  name,
  value,
  onChange,
}: {
  label: string
  hint: string
  name: string
  value: string
  onChange: (value: string) => void
}) {
  const caret = useRef(value.length)
  const insert = (text: string) => {
    onChange(value.slice(0, caret.current) + text + value.slice(caret.current))
    caret.current += text.length
  }
  return (
    <div class="stack stack-close">
      <TextField
        label={label}
        hint={hint}
        name={name}
        required
        inputMode="url"
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
        onBlur={(event) => {
          caret.current = event.currentTarget.selectionStart ?? event.currentTarget.value.length
        }}
      />
      <div>
        <Menu
          look="quiet"
          label={words.placeholderIn(label)}
          items={words.placeholders.map(([text, meaning]) => ({
            words: `${meaning} ${text}`,
            run: () => insert(text),
          }))}
        >
          {words.placeholder}
        </Menu>
      </div>
    </div>
  )
}

/** The badge as it would be shown, asked for once typing pauses. */
function Preview({
  owner: { kind, id },
  link_url,
  image_url,
}: {
  owner: Owner
  link_url: string
  image_url: string
}) {
  const [rendered, setRendered] = useState<RenderedBadge>()
  const isWhole = [link_url, image_url].every((url) => /^https?:\/\/./.test(url))
  useEffect(() => {
    if (!isWhole) return
    let isOver = false
    const look = async () => {
      const input = { id, link_url, image_url }
      try {
        const found = await (kind === 'group'
          ? call('GET /groups/:id/badges/render', input)
          : call('GET /projects/:id/badges/render', input))
        if (!isOver) setRendered(found)
      } catch (error) {
        // What is wrong with an address is reported when it is saved.
        if (!(error instanceof Refusal)) throw error
        if (!isOver) setRendered(undefined)
      }
    }
    const timer = setTimeout(() => void look(), typing_ms)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [kind, id, link_url, image_url])
  return (
    <section class="row" aria-label={words.preview}>
      <span class="field-label">{words.preview}</span>
      {isWhole && rendered ? (
        <Picture badge={rendered} />
      ) : (
        <span class="muted">{words.noPreview}</span>
      )}
    </section>
  )
}

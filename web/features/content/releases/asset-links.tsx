// The asset links of a release, as rows of a form.
import { call } from '../../../api/call.ts'
import type { ReleaseLink } from '../../../api/operations.ts'
import { releases as words } from '../../../text/releases.ts'
import { Button } from '../../../ui/button/button.tsx'
import { SelectField, TextField } from '../../../ui/field/field.tsx'

type LinkType = 'other' | 'runbook' | 'image' | 'package'

/** `key` identifies the row while it is shown. `id` is missing for a link that is not saved yet. */
export type AssetLinkRow = {
  key: string
  id?: number
  name: string
  url: string
  link_type: LinkType
}

export const assetLinkRowOf = ({ id, name, url, link_type }: ReleaseLink): AssetLinkRow => ({
  key: String(id),
  id,
  name,
  url,
  link_type: link_type as LinkType,
})

let made = 0

export function AssetLinks({
  rows,
  onChange,
}: {
  rows: readonly AssetLinkRow[]
  onChange: (rows: readonly AssetLinkRow[]) => void
}) {
  const change = (key: string, changes: Partial<AssetLinkRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...changes } : row)))
  return (
    <fieldset class="stack stack-close">
      <legend class="field-label">{words.links}</legend>
      <p class="field-hint">{words.linksLead}</p>
      {rows.map(({ key, name, url, link_type }, at) => (
        <div class="row" key={key}>
          <TextField
            isLabelHidden
            label={words.linkName(at + 1)}
            placeholder={words.linkName(at + 1)}
            required
            maxLength={255}
            value={name}
            onInput={(event) => change(key, { name: event.currentTarget.value })}
          />
          <TextField
            isLabelHidden
            label={words.linkUrl(at + 1)}
            placeholder="https://"
            type="url"
            required
            value={url}
            onInput={(event) => change(key, { url: event.currentTarget.value })}
          />
          <SelectField
            isLabelHidden
            label={words.linkType(at + 1)}
            options={words.linkTypes}
            value={link_type}
            onChange={(event) => change(key, { link_type: event.currentTarget.value as LinkType })}
          />
          <Button
            look="quiet"
            aria-label={words.removeLink(at + 1)}
            onClick={() => onChange(rows.filter((row) => row.key !== key))}
          >
            {words.remove}
          </Button>
        </div>
      ))}
      <div>
        <Button
          onClick={() =>
            onChange([...rows, { key: `new ${++made}`, name: '', url: '', link_type: 'other' }])
          }
        >
          {words.addLink}
        </Button>
      </div>
    </fieldset>
  )
}

/** Makes the links of a release what the rows say. Throws `Refusal`. */
export async function saveAssetLinks(
  of: { id: number; tag_name: string },
  { before, after }: { before: readonly AssetLinkRow[]; after: readonly AssetLinkRow[] },
): Promise<void> {
  const base = 'projects/:id/releases/:tag_name/assets/links'
  // Links are deleted first, since names and URLs are unique within a release.
  for (const { id } of before) {
    if (id === undefined || after.some((row) => row.id === id)) continue
    await call(`DELETE /${base}/:link_id`, { ...of, link_id: id })
  }
  for (const { id, name, url, link_type } of after) {
    const known = before.find((row) => row.id === id)
    const texts = { name, url, link_type }
    if (id === undefined) await call(`POST /${base}`, { ...of, ...texts })
    else if (known?.name !== name || known.url !== url || known.link_type !== link_type)
      await call(`PUT /${base}/:link_id`, { ...of, ...texts, link_id: id })
  }
}

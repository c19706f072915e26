import { useEffect, useState } from 'preact/hooks'
import { code } from '../../../text/code.ts'
import { TextField } from '../../../ui/field/field.tsx'
import { List, Row } from '../../../ui/list/list.tsx'
import { here, navigate, say, withQuery } from '../../../ui/navigation.ts'
import { Page } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { baseOf, codeUrl } from '../../../ui/place.ts'
import { rankPaths } from '../../../ui/rank-paths.ts'
import { readPaths } from '../../../ui/read-paths.ts'

const shown_max = 50

export const page: PageModule<AtPlace> = { View: FindFile }

function FindFile({ at: { place, url } }: { at: AtPlace }) {
  const [words, setWords] = useState(url.searchParams.get('q') ?? '')
  const [paths, setPaths] = useState<readonly string[]>()
  const base = baseOf(place)
  const ref = place.ref ?? ''
  useEffect(() => {
    if (place.commit) void readPaths(place.id, place.commit).then(setPaths)
  }, [place.commit])
  const found = rankPaths(paths ?? [], words, shown_max)
  return (
    <Page title={code.findFile} tab={`${code.findFile} · ${ref}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (found[0]) navigate(codeUrl(base, 'blob', ref, found[0]))
        }}
      >
        <TextField
          label={code.findFileLabel}
          type="search"
          autofocus
          autocomplete="off"
          spellcheck={false}
          value={words}
          onInput={(event) => {
            setWords(event.currentTarget.value)
            say(withQuery({ q: event.currentTarget.value }, here.value))
          }}
        />
      </form>
      {paths && found.length === 0 ? <p class="muted">{code.noFile}</p> : null}
      <List label={code.files}>
        {found.map((path) => (
          <Row key={path}>
            <a data-main class="mono" href={codeUrl(base, 'blob', ref, path)}>
              {path}
            </a>
          </Row>
        ))}
      </List>
    </Page>
  )
}

// What stands above code: the branch, the path, and what can be done there.
import type { ComponentChildren } from 'preact'
import { code } from '../../text/code.ts'
import { RefPicker } from '../combobox/ref-picker.tsx'
import { Crumbs } from '../crumbs/crumbs.tsx'
import { useActions } from '../keys.ts'
import { navigate, say } from '../navigation.ts'
import type { Place } from '../page-module.ts'
import { baseOf, codeUrl } from '../place.ts'
import { tell } from '../toast/toast.tsx'
import './code-bar.css'

export function CodeBar({ place, children }: { place: Place; children?: ComponentChildren }) {
  const base = baseOf(place)
  const section = place.section ?? 'tree'
  const ref = place.ref ?? ''
  const path = place.path ?? ''
  useActions([
    { name: code.findFile, keys: 't', run: () => navigate(codeUrl(base, 'find_file', ref)) },
    {
      name: code.ref,
      keys: 'r',
      run: () => document.querySelector<HTMLElement>('.code-bar [role=combobox]')?.focus(),
    },
    {
      name: code.permalink,
      keys: 'y',
      run: () => {
        if (!place.commit) return
        say(codeUrl(base, section, place.commit, path) + location.hash)
        tell(code.permalinkDone)
      },
    },
    { name: code.history, keys: 'h', run: () => navigate(codeUrl(base, 'commits', ref, path)) },
  ])
  return (
    <div class="code-bar">
      <div class="code-bar-ref">
        <RefPicker
          projectId={place.id}
          value={ref}
          isLabelHidden
          onPick={(picked) => navigate(codeUrl(base, section, picked, path))}
        />
      </div>
      <Crumbs base={base} gitRef={ref} path={path} />
      <div class="row code-bar-actions">{children}</div>
    </div>
  )
}

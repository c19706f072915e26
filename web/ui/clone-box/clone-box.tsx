// How one gets the repository: its addresses, each to be copied, and the command by a key.

import { repository } from '../../text/repository.ts'
import { CopyLine, copyText } from '../copy-line/copy-line.tsx'
import { useKeyActions } from '../keys.ts'
import { showToast } from '../toast/toast.tsx'
import { useUniqueId } from '../unique-id.ts'
import './clone-box.css'

export function CloneBox({ http, ssh }: { http: string; ssh: string }) {
  const id = useUniqueId()
  useKeyActions([
    {
      name: repository.copyClone,
      keys: 'Shift C',
      run: () =>
        void copyText(`git clone ${http || ssh}`).then(() => showToast(repository.copyCloneDone)),
    },
  ])
  return (
    <>
      <button
        type="button"
        class="button button-primary button-opens"
        style={{ anchorName: `--clone-${id}` }}
        popovertarget={id}
      >
        {repository.clone}
      </button>
      <div id={id} class="clone-box" popover="auto" style={{ positionAnchor: `--clone-${id}` }}>
        {http ? <Way words={repository.cloneHttp} copies={repository.httpUrl} url={http} /> : null}
        {ssh ? <Way words={repository.cloneSsh} copies={repository.sshUrl} url={ssh} /> : null}
      </div>
    </>
  )
}

function Way({ words, copies, url }: { words: string; copies: string; url: string }) {
  return (
    <div class="stack stack-close">
      <strong>{words}</strong>
      <CopyLine text={url} label={copies} />
    </div>
  )
}

// What each page begins with: its heading, one sentence, its actions.
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { currentUrl } from '../navigation.ts'
import { UnhandledRefusalNote } from './last-refusal.tsx'
import './page.css'

/** Whether a page has its heading: what can wait until then is fetched afterwards. */
export const hasPageHeading = signal(false)

export function Page({
  title,
  tab,
  lead,
  actions,
  isWide,
  isTitleHidden,
  children,
}: {
  title: ComponentChildren
  /** What the browser's tab says; the title where that is a text. */
  tab?: string
  lead?: ComponentChildren
  actions?: ComponentChildren
  /** As wide as the window: code, diffs and logs. */
  isWide?: boolean
  isTitleHidden?: boolean
  children: ComponentChildren
}) {
  const words = tab ?? (typeof title === 'string' ? title : '')
  const owner = ownerOf(currentUrl.value.pathname)
  useEffect(() => {
    hasPageHeading.value = true
  }, [])
  // At once: whoever reads the name of the page that is shown may come before what waits until it is painted.
  useLayoutEffect(() => {
    if (words === '') return
    document.title = [words, ...(owner === '' ? [] : [owner]), 'Bloomery'].join(' · ')
  }, [words, owner])
  return (
    <div class={`page ${isWide ? 'page-wide' : ''}`}>
      {isTitleHidden ? (
        <h1 class="only-spoken" tabIndex={-1}>
          {title}
        </h1>
      ) : (
        <div class="page-head">
          <h1 tabIndex={-1}>{typeof title === 'string' ? <bdi>{title}</bdi> : title}</h1>
          {actions ? <div class="row">{actions}</div> : null}
          {lead ? <p class="page-lead">{lead}</p> : null}
        </div>
      )}
      <UnhandledRefusalNote />
      {children}
    </div>
  )
}

/** The path of the project or group that the address of a page is inside. */
function ownerOf(path: string): string {
  const [, owner = ''] = /^\/(?:groups\/)?([^-/].*?)\/-\//.exec(path) ?? []
  return decodeURI(owner)
}

/** A part of a page with a heading of its own. */
export function Section({
  title,
  lead,
  actions,
  id,
  children,
}: {
  title: string
  lead?: ComponentChildren
  actions?: ComponentChildren
  id?: string
  children: ComponentChildren
}) {
  return (
    <section class="page-section" id={id}>
      <div class="row row-apart">
        <h2>{title}</h2>
        {actions}
      </div>
      {lead ? <p class="muted">{lead}</p> : null}
      {children}
    </section>
  )
}

// A link to another host that a report names, which others wrote.

/** A plain text where the address is none of the web. */
export function OuterLink({
  href,
  children,
}: {
  href: string | null | undefined
  children: string
}) {
  const url = href ? URL.parse(href) : null
  return url && /^https?:$/.test(url.protocol) ? (
    <a href={url.href} rel="noreferrer nofollow">
      {children}
    </a>
  ) : (
    <span>{children}</span>
  )
}

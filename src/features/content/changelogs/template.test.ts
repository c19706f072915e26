import { describe, expect, it } from 'vitest'
import { formatDateByPattern } from './format-date.ts'
import { findPreviousVersionTag, insertChangelogSection } from './previous-tag.ts'
import { parseChangelogTemplate, renderChangelogTemplate } from './template.ts'

const data = {
  title: 'T',
  list: [{ n: 1 }, { n: 2 }],
  words: ['a', 'b'],
  none: [],
  nested: { a: [7] },
}

describe('Templates of changelogs', () => {
  it.each([
    ['{{ title }} { {x} } {{nested.a.0}}', 'T { {x} } 7'],
    ['{{ missing }}{{ title.length }}{{ constructor }}', ''],
    ['{% if list %}yes{% else %}no{% end %}', 'yes'],
    ['{% if none %}yes{% else %}no{% end %}', 'no'],
    ['{% each list %}\n- {{ n }}\n{% end %}\nend', '- 1\n- 2\nend'],
    ['{% each words %}{{ it }},{% end %}', 'a,b,'],
    ['{% each title %}x{% end %}', ''],
    ['a\\\nb \\c', 'ab \\c'],
  ])('%j becomes %j', (text, expected) => {
    expect(renderChangelogTemplate(parseChangelogTemplate(text), data)).toBe(expected)
  })

  it.each([
    ['{% if a %}', 'The template has no {% end %} for {% if %}'],
    ['{% each a %}{% else %}{% end %}', 'The template has no {% end %} for {% each %}'],
    ['{% end %}', 'The template has an unexpected "{% end %}"'],
    ['{{ a b }}', 'The template has an unexpected "{{ a b }}"'],
    ['{% include x %}', 'The template has an unexpected "{% include x %}"'],
    ['x'.repeat(20_001), 'The template is too long'],
    ['{% if a %}'.repeat(40), 'The template is nested too deeply'],
  ])('refuse %j', (text, message) => {
    expect(() => parseChangelogTemplate(text)).toThrow(message)
  })

  it('are bounded in what they write and in their loops', () => {
    const long = { list: Array.from({ length: 10_000 }, () => 'x'.repeat(1000)) }
    const each = parseChangelogTemplate('{% each list %}{{ it }}{% end %}')
    expect(() => renderChangelogTemplate(each, long)).toThrow('The changelog is too long')
    const deep = parseChangelogTemplate(`${'{% each it %}'.repeat(5)}x${'{% end %}'.repeat(5)}`)
    expect(() => renderChangelogTemplate(deep, [[[[[1]]]]])).toThrow(
      'You can only nest up to 4 loops',
    )
    const silent = parseChangelogTemplate('{% each it %}{% if no %}x{% end %}{% end %}'.repeat(200))
    const many = Array.from({ length: 15_000 }, () => ({}))
    expect(() => renderChangelogTemplate(silent, many)).toThrow('The template takes too many steps')
  })
})

describe('Sections of a changelog', () => {
  it.each([
    ['', '## 1.1.0\n\n'],
    ['# Log\n\n## 1.0.0 (x)\n\nold\n', '# Log\n\n## 1.1.0\n\n## 1.0.0 (x)\n\nold\n'],
    ['## 2.0.0\n\nnew\n', '## 2.0.0\n\nnew\n\n## 1.1.0\n\n'],
    ['## 1.10.0\n\n## 1.1.0\n\nsame\n', '## 1.10.0\n\n## 1.1.0\n\n## 1.1.0\n\nsame\n'],
  ])('go into %j before older ones', (text, expected) => {
    expect(insertChangelogSection(text, '## 1.1.0\n\n', '1.1.0')).toBe(expected)
  })

  it('begin at the version right before', () => {
    const tags = ['1.9.0', '1.10.0', '1.2.0', '2.0.0'].map((version) => ({
      name: version,
      version,
    }))
    expect(findPreviousVersionTag(tags, 'v1.11.0')).toBe('1.10.0')
    expect(findPreviousVersionTag(tags, '1.10.0')).toBe('1.9.0')
    expect(findPreviousVersionTag(tags, '1.2.0')).toBeUndefined()
  })

  it.each([
    ['%Y-%m-%d', '2026-03-05'],
    ['%-d %B %y, %A', '5 March 26, Thursday'],
    ['%b %e %j %I:%M%p %% %Q', 'Mar  5 064 01:04PM % %Q'],
  ])('have dates as %s', (format, expected) => {
    expect(formatDateByPattern(new Date('2026-03-05T13:04:09Z'), format)).toBe(expected)
  })
})

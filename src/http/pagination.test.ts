import { describe, expect, it } from 'vitest'
import { keysetAnswer, pagedAnswer, pageRange } from './pagination.ts'

const context = {
  baseUrl: 'http://x.test',
  request: {
    path: '/api/v4/things',
    pathParameters: { id: '5' },
    query: { per_page: '2', private_token: 'secret' },
  },
  input: { order_by: 'name', page: 1, per_page: 2 },
}

describe('pageRange', () => {
  it.each([
    [{}, { page: 1, per_page: 20, offset: 0 }],
    [
      { page: 3, per_page: 10 },
      { page: 3, per_page: 10, offset: 20 },
    ],
    [
      { page: 0, per_page: 1000 },
      { page: 1, per_page: 100, offset: 0 },
    ],
    [
      { page: -2, per_page: -5 },
      { page: 1, per_page: 20, offset: 0 },
    ],
  ])('makes of %j', (input, range) => {
    expect(pageRange(input)).toEqual(range)
  })
})

describe('pagedAnswer', () => {
  const link = (page: number, rel: string) =>
    `<http://x.test/api/v4/things?id=5&order_by=name&page=${page}&per_page=2>; rel="${rel}"`

  it('tells a page in the middle', () => {
    const { headers } = pagedAnswer(context, pageRange({ page: 2, per_page: 2 }), {
      items: [1, 2],
      total: 5,
    })
    expect(headers).toEqual({
      link: [link(1, 'prev'), link(3, 'next'), link(1, 'first'), link(3, 'last')].join(', '),
      'x-next-page': '3',
      'x-page': '2',
      'x-per-page': '2',
      'x-prev-page': '1',
      'x-total': '5',
      'x-total-pages': '3',
    })
  })

  it('counts one page where there is nothing', () => {
    const { headers } = pagedAnswer(context, pageRange({ per_page: 2 }), { items: [], total: 0 })
    expect(headers).toEqual({
      link: [link(1, 'first'), link(1, 'last')].join(', '),
      'x-next-page': '',
      'x-page': '1',
      'x-per-page': '2',
      'x-prev-page': '',
      'x-total': '0',
      'x-total-pages': '1',
    })
  })

  it('leaves totals out where they were not counted', () => {
    const page = { items: [1, 2], total: undefined }
    const { headers } = pagedAnswer(context, pageRange({ page: 2, per_page: 2 }), page)
    expect(headers).toEqual({
      link: [link(1, 'prev'), link(3, 'next'), link(1, 'first')].join(', '),
      'x-next-page': '3',
      'x-page': '2',
      'x-per-page': '2',
      'x-prev-page': '1',
    })
  })

  it.each([3, 9])('has no neighbours past the end, on page %i of 2', (page) => {
    const { headers } = pagedAnswer(context, pageRange({ page, per_page: 2 }), {
      items: [],
      total: 3,
    })
    expect(headers).toMatchObject({
      link: [link(1, 'first'), link(2, 'last')].join(', '),
      'x-page': String(page),
      'x-next-page': '',
      'x-prev-page': '',
    })
  })
})

describe('keysetAnswer', () => {
  it('links on after every page that is not empty, and sends nothing else', () => {
    expect(keysetAnswer(context, [1], { id_after: 1 }).headers).toEqual({
      link: '<http://x.test/api/v4/things?id=5&id_after=1&order_by=name&page=1&per_page=2>; rel="next"',
    })
    expect(keysetAnswer(context, [], { id_after: 1 }).headers).toEqual({})
  })
})

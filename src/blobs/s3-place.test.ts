import { describe, expect, it } from 'vitest'
import { readS3Place } from './s3-place.ts'

const keys = { AWS_ACCESS_KEY_ID: 'the-key-id', AWS_SECRET_ACCESS_KEY: 'the-secret' }
const read = (given: string, environment: Record<string, string> = keys) =>
  readS3Place(given, environment, (text) => new Error(text))

describe('the setting of blobs', () => {
  it.each([
    ['s3://bucket', 's3://bucket', 'https://bucket.s3.us-east-1.amazonaws.com/', ''],
    ['s3://bucket/', 's3://bucket', 'https://bucket.s3.us-east-1.amazonaws.com/', ''],
    ['s3://bucket/a//b/', 's3://bucket/a/b', 'https://bucket.s3.us-east-1.amazonaws.com/', 'a/b/'],
    [
      's3://bucket?region=eu-west-1',
      's3://bucket',
      'https://bucket.s3.eu-west-1.amazonaws.com/',
      '',
    ],
    ['s3://b-1.c?endpoint=https://s3.test', 's3://b-1.c', 'https://s3.test/b-1.c/', ''],
    [
      's3://bucket/x?endpoint=http://[::1]:9000/',
      's3://bucket/x',
      'http://[::1]:9000/bucket/',
      'x/',
    ],
  ])('%s is %s at %s', (given, name, url, prefix) => {
    expect(read(given)).toMatchObject({ name, url, prefix })
  })

  it('takes the credentials and the region of the environment', () => {
    const environment = { ...keys, AWS_SESSION_TOKEN: 'the-session', AWS_REGION: 'eu-north-1' }
    expect(read('s3://bucket', environment)).toMatchObject({
      accessKeyId: 'the-key-id',
      secretAccessKey: 'the-secret',
      sessionToken: 'the-session',
      region: 'eu-north-1',
    })
    expect(read('s3://bucket?region=x', environment).region).toBe('x')
    expect(read('s3://bucket').sessionToken).toBeUndefined()
  })

  it('says by its options what is usual otherwise', () => {
    const usual = { storesNewBlobs: true, isOpenToClients: true, call_ms: 10_000 }
    expect(read('s3://bucket')).toMatchObject(usual)
    expect(read('s3://bucket?new=s3&proxy_download=false')).toMatchObject(usual)
    expect(read('s3://bucket?new=disk&proxy_download=true&timeout=2.5')).toMatchObject({
      storesNewBlobs: false,
      isOpenToClients: false,
      call_ms: 2500,
    })
  })

  it.each([
    ['/var/blobs', 'blobs takes s3://bucket/folder'],
    ['https://s3.test/bucket', 'blobs takes s3://bucket/folder'],
    ['s3://the-key-id:the-secret@bucket', 'blobs takes s3://bucket/folder'],
    ['s3://Bucket', 'blobs takes s3://bucket/folder'],
    ['s3://bucket/a?b%20c', 'blobs does not know'],
    ['s3://bucket/%2e%2e/x', 'blobs takes s3://bucket/folder'],
    ['s3://bucket?endpont=http://s3.test', 'blobs does not know endpont.'],
    ['s3://bucket?endpoint=s3.test', 'The endpoint of blobs takes'],
    ['s3://bucket?endpoint=http://s3.test/path', 'The endpoint of blobs takes'],
    ['s3://bucket?endpoint=http://the-key-id:the-secret@s3.test', 'The endpoint of blobs takes'],
    ['s3://bucket?new=tape', 'new of blobs takes s3 or disk.'],
    ['s3://bucket?proxy_download=1', 'proxy_download of blobs takes false or true.'],
    ['s3://bucket?timeout=0', 'timeout of blobs takes seconds'],
    ['s3://bucket?timeout=soon', 'timeout of blobs takes seconds'],
  ])('is not %s', (given, problem) => {
    const reading = () => read(given)
    expect(reading).toThrow(problem)
    expect(reading).not.toThrow('the-secret')
  })

  it.each(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])('wants %s', (name) => {
    expect(() => read('s3://bucket', { ...keys, [name]: '' })).toThrow(
      'blobs needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.',
    )
  })
})

import { expect, it } from 'vitest'
import { limits } from '../kernel/limits.ts'
import { containersToRewrite } from './containers.ts'

const { container_bytes_max, small_containers_max } = limits.backup

function repositoryIn(container: string, size: number) {
  const archive = { container, offset: 512, size, sha256: '' }
  return { storage: 'default', name: `${container}.git`, signature: '', archive, files: [] }
}

function filesOf(sizes: Record<string, number>) {
  const files = Object.entries(sizes).map(([path, size]) => ({ path, size, sha256: '' }))
  return new Map(files.map((file) => [file.path, file]))
}

it('a container is worn when less than half of it counts', () => {
  const files = filesOf({ a: container_bytes_max, b: container_bytes_max })
  const kept = [
    repositoryIn('a', container_bytes_max / 2),
    repositoryIn('b', container_bytes_max / 2 - 1),
  ]
  expect(containersToRewrite(files, kept)).toEqual(new Set(['b']))
})

it('small containers are worn once there are many', () => {
  const names = Array.from({ length: small_containers_max }, (_, at) => `${at}`)
  const sizes = Object.fromEntries(names.map((name) => [name, 2000]))
  const files = filesOf({ ...sizes, large: container_bytes_max, more: 2000 })
  const kept = [repositoryIn('large', container_bytes_max - 1000)]
  kept.push(...names.map((name) => repositoryIn(name, 1500)))
  expect(containersToRewrite(files, kept)).toEqual(new Set())
  kept.push(repositoryIn('more', 1500))
  expect(containersToRewrite(files, kept)).toEqual(new Set([...names, 'more']))
})

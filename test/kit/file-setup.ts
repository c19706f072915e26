import { afterAll } from 'vitest'
import { endFile } from './file-end.ts'

// This file runs anew before every test file, whatever is loaded already.
afterAll(endFile)

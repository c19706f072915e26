import { afterAll } from 'vitest'
import { endFile } from './file-end.ts'
import { hashCheaply } from './password-cost.ts'

hashCheaply()
// This file runs anew before every test file, whatever is loaded already.
afterAll(endFile)

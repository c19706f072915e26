// `node tools/setup.mjs production|development`: what runs before any other command.
import { setUp } from './set-up.mjs'

setUp(process.argv[2] === 'production')

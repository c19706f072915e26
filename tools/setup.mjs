// `node tools/setup.mjs production|development`: what runs before any other command.
import { installAndBuild } from './install-and-build.mjs'

installAndBuild(process.argv[2] === 'production')

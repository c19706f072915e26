import { describe, expect, it } from 'vitest'
import { limits } from '../../../kernel/limits.ts'
import { isLockFile, packageManagers, readLockFile } from './lock-file.ts'

type Case = [path: string, content: string | object, found: Record<string, string | string[]>]

const cases: Case[] = [
  [
    'Gemfile.lock',
    `GIT
  remote: https://git.test/own.git
  revision: 0a
  specs:
    own-fork (1.0.0)

PATH
  remote: engines/shop
  specs:
    shop (0.1.0)
      rack (>= 2)

GEM
  remote: https://rubygems.test/
  specs:
    nokogiri (1.13.6)
      racc (~> 1.4)
    nokogiri (1.13.6-x86_64-linux)
    rack (2.2.3)
    ruby-beta (1.0.0.pre.1)

PLATFORMS
  ruby

DEPENDENCIES
  rack (~> 2.2)

BUNDLED WITH
   2.3.7
`,
    { 'own-fork': '1.0.0', nokogiri: '1.13.6', rack: '2.2.3', 'ruby-beta': '1.0.0.pre.1' },
  ],
  ['gems.locked', 'GEM\r\n  specs:\r\n    rack (2.2.3)\r\n', { rack: '2.2.3' }],
  [
    'composer.lock',
    {
      'content-hash': '0a',
      packages: [
        { name: 'monolog/monolog', version: '2.3.5', require: { 'psr/log': '^1' } },
        { name: 'psr/log', version: 'v1.1.4' },
      ],
      'packages-dev': [{ name: 'phpunit/phpunit', version: '9.5.0' }, 'nonsense', { name: 'x' }],
    },
    { 'monolog/monolog': '2.3.5', 'psr/log': 'v1.1.4', 'phpunit/phpunit': '9.5.0' },
  ],
  [
    'conan.lock',
    {
      graph_lock: {
        nodes: {
          0: { ref: 'own/1.0', path: 'conanfile.py', requires: ['1'] },
          1: { ref: 'zlib/1.2.11#683857dbd5377d65f26795d4023858f9', requires: [] },
          2: { ref: 'poco/1.9.4@pocoproject/stable' },
        },
      },
      version: '0.4',
    },
    { zlib: '1.2.11', poco: '1.9.4' },
  ],
  [
    'conan.lock',
    {
      version: '0.5',
      requires: ['zlib/1.2.11#ffa77daf83a57094149707928bdce823%1667396813.184', 'fmt/9.1.0'],
      build_requires: ['cmake/3.25.1'],
      python_requires: ['tools/0.1@me/test'],
    },
    { zlib: '1.2.11', fmt: '9.1.0', cmake: '3.25.1', tools: '0.1' },
  ],
  [
    'go.sum',
    `github.com/pkg/errors v0.9.1 h1:FEBLx1zS214owpjy7qsBeixbURkuhQAwrK5UwLGTwt4=
github.com/pkg/errors v0.9.1/go.mod h1:bwawxfHBFNV+L2hUp1rHADufV3IMtnDRdf1r5NINEl0=
golang.org/x/sys v0.0.0-20210423082822-04245dca01da/go.mod h1:h1NjWce9XRLGQEsW7wpKNCjG9DtNlClVuFLEZdDNbEs=
gopkg.in/yaml.v2 v2.4.0 h1:D8xgwECY7CYvx+Y2n4sBz93Jn9JRvxdiyyo8CTfuKaY=
`,
    { 'github.com/pkg/errors': 'v0.9.1', 'gopkg.in/yaml.v2': 'v2.4.0' },
  ],
  [
    'gradle.lockfile',
    `# This is a Gradle generated file for dependency locking.
com.google.guava:guava:31.0.1-jre=compileClasspath,runtimeClasspath
org.slf4j:slf4j-api:1.7.32=runtimeClasspath
empty=annotationProcessor
`,
    { 'com.google.guava/guava': '31.0.1-jre', 'org.slf4j/slf4j-api': '1.7.32' },
  ],
  ['buildscript-gradle.lockfile', 'a:b:1=classpath\n', { 'a/b': '1' }],
  [
    'pom.xml',
    `<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>org.test</groupId><artifactId>above</artifactId><version>7</version></parent>
  <artifactId>own</artifactId>
  <properties><jackson.version>2.\${minor}</jackson.version><minor>13.1</minor><self>\${self}</self></properties>
  <dependencyManagement><dependencies>
    <dependency><groupId>org.managed</groupId><artifactId>lib</artifactId><version>1.1</version></dependency>
    <dependency><groupId>org.unused</groupId><artifactId>lib</artifactId><version>1.2</version></dependency>
  </dependencies></dependencyManagement>
  <dependencies>
    <dependency><groupId>com.fasterxml</groupId><artifactId>jackson</artifactId><version>\${jackson.version}</version>
      <exclusions><exclusion><groupId>x</groupId><artifactId>y</artifactId></exclusion></exclusions></dependency>
    <dependency><groupId>\${project.groupId}</groupId><artifactId>beside</artifactId><version>\${project.version}</version></dependency>
    <dependency><groupId>org.managed</groupId><artifactId>lib</artifactId></dependency>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><version> <![CDATA[4.13]]> </version><scope>test</scope></dependency>
    <dependency><groupId>a</groupId><artifactId>range</artifactId><version>[1.0,2.0)</version></dependency>
    <dependency><groupId>a</groupId><artifactId>open</artifactId><version>\${elsewhere}</version></dependency>
    <dependency><groupId>a</groupId><artifactId>ring</artifactId><version>\${self}</version></dependency>
    <dependency><groupId>a</groupId><artifactId>none</artifactId></dependency>
  </dependencies>
  <profiles><profile><dependencies>
    <dependency><groupId>org.profile</groupId><artifactId>lib</artifactId><version>3</version></dependency>
  </dependencies></profile></profiles>
  <build><plugins><plugin><groupId>p</groupId><artifactId>q</artifactId><version>1</version>
    <dependencies><dependency><groupId>p</groupId><artifactId>r</artifactId><version>1</version></dependency></dependencies>
  </plugin></plugins></build>
</project>`,
    {
      'com.fasterxml/jackson': '2.13.1',
      'org.test/beside': '7',
      'org.managed/lib': '1.1',
      'junit/junit': '4.13',
      'org.profile/lib': '3',
    },
  ],
  [
    'package-lock.json',
    {
      name: 'own',
      lockfileVersion: 1,
      dependencies: {
        '@babel/core': { version: '7.1.0', dependencies: { debug: { version: '4.0.0' } } },
        debug: { version: '3.1.0' },
        short: { version: 'npm:@scope/long@2.0.0' },
      },
    },
    { '@babel/core': '7.1.0', debug: ['3.1.0', '4.0.0'], '@scope/long': '2.0.0' },
  ],
  [
    'npm-shrinkwrap.json',
    {
      lockfileVersion: 2,
      packages: {
        '': { name: 'own', version: '1.0.0' },
        'packages/part': { name: 'part', version: '1.0.0' },
        'node_modules/part': { resolved: 'packages/part', link: true },
        'node_modules/@babel/core': { version: '7.1.0' },
        'node_modules/@babel/core/node_modules/debug': { version: '4.0.0' },
        'node_modules/debug': { version: '3.1.0' },
        'node_modules/short': { name: '@scope/long', version: '2.0.0' },
      },
      dependencies: { debug: { version: '9.9.9' } },
    },
    { '@babel/core': '7.1.0', debug: ['3.1.0', '4.0.0'], '@scope/long': '2.0.0' },
  ],
  [
    'packages.lock.json',
    {
      version: 1,
      dependencies: {
        'net5.0': {
          'Newtonsoft.Json': { type: 'Direct', requested: '[12.0.3, )', resolved: '12.0.3' },
          Own: { type: 'Project', dependencies: {} },
        },
        'net6.0': {
          'Newtonsoft.Json': { type: 'Direct', resolved: '12.0.3' },
          'System.Text.Json': { type: 'Transitive', resolved: '6.0.0' },
        },
      },
    },
    { 'Newtonsoft.Json': '12.0.3', 'System.Text.Json': '6.0.0' },
  ],
  [
    'requirements.txt',
    `# What we need
-r other.txt
--hash=sha256:0a
Django==3.2.10
requests[security,socks] == 2.26.0 ; python_version > '3' # for now
urllib3===1.26.7 \\
    --hash=sha256:0a
Flask>=2.0
numpy==1.*
celery==5.2.1,!=5.2.0
pandas
`,
    { Django: '3.2.10', requests: '2.26.0', urllib3: '1.26.7' },
  ],
  [
    'Pipfile.lock',
    {
      _meta: { hash: { sha256: '0a' }, 'pipfile-spec': 6 },
      default: { requests: { version: '==2.26.0', hashes: ['sha256:0a'] }, own: { path: '.' } },
      develop: { pytest: { version: '==6.2.5' }, loose: { version: '>=1' } },
    },
    { requests: '2.26.0', pytest: '6.2.5' },
  ],
  [
    'yarn.lock',
    `# THIS IS AN AUTOGENERATED FILE. DO NOT EDIT THIS FILE DIRECTLY.
# yarn lockfile v1


"@babel/core@^7.0.0", "@babel/core@^7.1.0":
  version "7.1.0"
  resolved "https://registry.test/@babel/core/-/core-7.1.0.tgz#0a"
  dependencies:
    debug "^4.1.0"
    version "^9.0.0"

debug@^4.1.0:
  version "4.1.1"

"short@npm:@scope/long@^2.0.0":
  version "2.0.0"
`,
    { '@babel/core': '7.1.0', debug: '4.1.1', '@scope/long': '2.0.0' },
  ],
  [
    'yarn.lock',
    `__metadata:
  version: 6
  cacheKey: 8

"@babel/core@npm:^7.0.0, @babel/core@npm:^7.1.0":
  version: 7.1.0
  resolution: "@babel/core@npm:7.1.0"
  dependencies:
    debug: ^4.1.0
  checksum: 0a
  languageName: node
  linkType: hard

"own@workspace:.":
  version: 0.0.0-use.local
  resolution: "own@workspace:."
  linkType: soft

"short@npm:@scope/long@^2.0.0":
  version: 2.0.0
  resolution: "@scope/long@npm:2.0.0"
  linkType: hard
`,
    { '@babel/core': '7.1.0', '@scope/long': '2.0.0' },
  ],
  [
    'build.sbt',
    `libraryDependencies += "org.typelevel" %% "cats-core" % "2.7.0"
libraryDependencies ++= Seq(
  "com.typesafe.akka" %% "akka-actor" % akkaVersion, "ch.qos.logback" % "logback-classic" % "1.2.10" % "runtime",
  // "org.gone" % "gone" % "1.0",
  "org.scala-js" %%% "scalajs-dom" % "2.1.0")
scalaVersion := "2.13.8"
`,
    {
      'org.typelevel/cats-core': '2.7.0',
      'ch.qos.logback/logback-classic': '1.2.10',
      'org.scala-js/scalajs-dom': '2.1.0',
    },
  ],
  [
    'setup.py',
    `from setuptools import setup
extra = ["not==1.0"]
setup(name="own", version="1.0",
  install_requires=["attrs==21.2.0", 'six>=1.0',  # "commented==1"
    "requests[security]==2.26.0; python_version > '3'",
  ],
  tests_require=["pytest==6.2.5"])
`,
    { attrs: '21.2.0', requests: '2.26.0' },
  ],
  [
    'setup.cfg',
    `[metadata]
install_requires =
    not==1.0
[options]
packages = find:
install_requires =
    attrs==21.2.0
    six>=1.0
    requests==2.26.0; python_version > "3"
python_requires = ==3.9.1
[options.extras_require]
test =
    pytest==6.2.5
`,
    { attrs: '21.2.0', requests: '2.26.0' },
  ],
]

/** As the cases are written: versions by name, several of them sorted. */
function byName(found: readonly { name: string; version: string }[]) {
  const table: Record<string, string | string[]> = {}
  for (const { name, version } of found.toSorted((a, b) => (a.version < b.version ? -1 : 1))) {
    table[name] = name in table ? [table[name] ?? '', version].flat() : version
  }
  return table
}

const textOf = (content: string | object) =>
  Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))

describe('A lock file', () => {
  it.each(cases)('named %s tells what it locks', async (path, content, found) => {
    const read = await readLockFile(`a/folder/${path}`, textOf(content))
    expect(byName(read)).toEqual(found)
    expect(read).toHaveLength(Object.values(found).flat().length)
  })

  it('is there for every package manager', async () => {
    const read = await Promise.all(
      cases.map(([path, content]) => readLockFile(path, textOf(content))),
    )
    const managers = new Set(read.flat().map(({ package_manager }) => package_manager))
    expect([...managers].sort()).toEqual(packageManagers.toSorted())
  })

  it.each([
    ['Gemfile.lock', true],
    ['a/b/yarn.lock', true],
    ['gemfile.lock', false],
    ['Gemfile', false],
    ['vendor/bundle/Gemfile.lock', false],
    ['a/node_modules/b/package-lock.json', false],
    ['vendors/yarn.lock', true],
    [`${'a/'.repeat(limits.dependencies.path_parts_max - 1)}yarn.lock`, true],
    [`${'a/'.repeat(limits.dependencies.path_parts_max)}yarn.lock`, false],
  ])('at %s is looked for: %s', (path, isWanted) => {
    expect(isLockFile(path)).toBe(isWanted)
  })

  it.each([...new Set(cases.map(([path]) => path))])(
    'named %s that is none has nothing in it',
    async (path) => {
      const hostile = [
        '',
        '\0',
        '[]',
        'null',
        '{"packages":{"":1},"dependencies":{"a":{"version":{}}},"default":[1],"graph_lock":[1]}',
        '{'.repeat(100_000),
        '{"a":'.repeat(100_000),
        '<a>'.repeat(100_000),
        '<project>&lol;</project>',
        '<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><project><dependencies>&b;</dependencies></project>',
        `${'"'.repeat(200_000)}`,
        `${' '.repeat(200_000)}`,
        'a'.repeat(200_000),
        `${'a==1 '.repeat(50_000)}\n`,
        '&a [*a, *a]: *a\n'.repeat(10_000),
        String.raw`"\ud800": {"version": "1"}`,
      ]
      for (const content of hostile) {
        expect(await readLockFile(path, Buffer.from(content)), content.slice(0, 60)).toEqual([])
      }
    },
  )

  it.each(cases)('named %s that is cut anywhere is read without a fault', async (path, content) => {
    const bytes = textOf(content)
    const whole = await readLockFile(path, bytes)
    for (let end = 0; end < bytes.length; end += 7) {
      const cut = await readLockFile(path, bytes.subarray(0, end))
      // A version that is cut may be one, where the whole line names none.
      expect(cut.length).toBeLessThanOrEqual(whole.length + 1)
    }
  })

  it('of many entries is read while others get their turn', async () => {
    const packages = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [`node_modules/p${at}`, { version: `1.${at}.0` }]),
    )
    const content = Buffer.from(JSON.stringify({ lockfileVersion: 3, packages }))
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const read = await readLockFile('package-lock.json', content)
    clearInterval(timer)
    expect(read).toHaveLength(20_000)
    expect(turns).toBeGreaterThan(3)
  })

  it('may hold a tree of very many in one place', async () => {
    const inner = Object.fromEntries(
      Array.from({ length: 150_000 }, (_, at) => [`p${at}`, { version: '1' }]),
    )
    const content = { dependencies: { outer: { version: '1', dependencies: inner } } }
    const found = await readLockFile('package-lock.json', Buffer.from(JSON.stringify(content)))
    expect(found).toHaveLength(limits.dependencies.per_list_max)
  })
})

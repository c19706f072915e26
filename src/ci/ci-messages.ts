// All messages about errors in a configuration. Tests check them literally, and clients may too.
import { limits } from '../kernel/limits.ts'
import type { SourceLocation } from './tree.ts'

/** Returns a message about one key of the configuration: the key's location, then the text, all in lower case. */
export function labeledMessage(label: string, text: string): string {
  return `${label} ${text}`.trimStart().toLowerCase()
}

export const ciMessages = {
  // The file
  empty: (path: string) => `Please provide content of ${path}`,
  tooBig: 'The parsed YAML is too big',
  noDict: 'Invalid configuration format',
  syntax: (problem: string, { line, column }: SourceLocation) =>
    `(<unknown>): ${problem.charAt(0).toLowerCase()}${problem.slice(1)} at line ${line} column ${column}`,
  unknownAlias: (name: string) => `Unknown alias: ${name}`,
  keyIsNoText: '(<unknown>): a key should be a text',
  badMerge: '(<unknown>): a merge key needs a hash or an array of hashes',

  // References and `extends`
  referenceInvalid: (path: string) => `!reference ${path} is not valid`,
  referenceMissing: (path: string) => `!reference ${path} could not be found`,
  referenceCircular: (path: string) => `!reference ${path} is part of a circular chain`,
  referenceTooDeep: (path: string) => `!reference ${path} is nested too deeply`,
  extendsUnknown: (name: string, unknown: string) =>
    `${name}: unknown keys in \`extends\` (${unknown})`,
  extendsNoHash: (name: string, bases: string) =>
    `${name}: invalid base hashes in \`extends\` (${bases})`,
  extendsCircular: (name: string) => `${name}: circular dependency detected in \`extends\``,
  extendsTooDeep: (name: string) => `${name}: nesting too deep in \`extends\``,

  // Includes
  includeNeedsKey: (entry: string) =>
    `\`${entry}\` does not have a valid subkey for include. Valid subkeys are: \`local\`, \`project\`, \`remote\`, \`template\``,
  componentInvalid: (address: string) => `Component '${address}' - the address is invalid`,
  includeAmbiguous: 'Each include must use only one of: `local`, `project`, `remote`, `template`',
  includeNoText: (location: string) => `Included file \`${location}\` needs to be a string`,
  includeNoYaml: (location: string) =>
    `Included file \`${location}\` does not have YAML extension!`,
  includeEmpty: (location: string) => `Included file \`${location}\` is empty or does not exist!`,
  includeBroken: (location: string, problem: string) => `\`${location}\`: ${problem}`,
  includeLocalOfRemote: (location: string) => `Local file \`${location}\` does not have project!`,
  includeWithoutFile: (project: string) =>
    `Project \`${project}\` include needs to specify \`file\``,
  includeNothingMatches: (pattern: string) => `Local file \`${pattern}\` does not exist!`,
  tooManyIncludes: `Maximum of ${limits.ci.includes_max} nested includes are allowed!`,
  includeNoHash: 'include config should be an array of hashes or strings',

  // Inputs of an included file
  inputsUnknown: (names: string) => `unknown input arguments: ${names}`,
  inputMissing: (name: string) => `\`${name}\` input: required value has not been provided`,
  inputWrongType: (name: string, type: string) =>
    `\`${name}\` input: provided value is not a ${type}`,
  inputNoOption: (name: string, value: string) =>
    `\`${name}\` input: \`${value}\` cannot be used because it is not in the list of allowed options`,
  inputNoMatch: (name: string) =>
    `\`${name}\` input: provided value does not match required RegEx pattern`,
  inputTypeUnknown: (name: string) => `header:spec:inputs:${name} input type unknown value`,
  interpolationUnknown: (name: string) => `unknown interpolation key: \`${name}\``,
  interpolationFunction: (name: string) => `no function matching \`${name}\``,
  headerInvalid: 'header:spec config should be a hash',
  headerKeys: (names: string) => `header:spec config contains unknown keys: ${names}`,

  // Types and keys of values
  unknownKeys: (names: string) => `config contains unknown keys: ${names}`,
  requiredKeys: (names: string) => `config missing required keys: ${names}`,
  disallowedKeys: (names: string) => `config contains disallowed keys: ${names}`,
  notWithRules: (names: string) => `config key may not be used with \`rules\`: ${names}`,
  aHash: 'config should be a hash',
  aHashOrText: 'config should be a hash or a string',
  aList: 'config should be a array',
  aText: 'should be a string',
  aBoolean: 'should be a boolean value',
  texts: 'should be an array of strings',
  textsOrText: 'should be an array of strings or a string',
  textsOrExpressions: 'should be an array of strings or regular expressions using re2 syntax',
  integers: 'should be an array of integers or an integer',
  nestedTexts: 'should be a string or a nested array of strings up to 10 levels deep',
  pairs: 'config should be a hash of key value pairs',
  pairsOfLists: 'config should be a hash of key value pairs, value can be an array',
  aDuration: 'should be a duration',
  overLimit: 'should not exceed the limit',
  blank: "can't be blank",
  mustBeBlank: 'must be blank',
  oneOf: (words: readonly string[]) => `should be one of: ${words.join(', ')}`,
  mustBeOneOf: (words: readonly string[]) => `must be one of: ${words.join(', ')}`,
  eitherOf: (words: readonly string[]) =>
    `should be ${words.slice(0, -1).join(', ')}, or ${words.at(-1)}`,
  either: (words: readonly string[]) =>
    `should be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
  unknownValue: (value: string) => `unknown value: ${value}`,
  unknownValues: (values: string) => `contains unknown values: ${values}`,
  notIncluded: 'is not included in the list',
  tooLong: (count: number) => `is too long (maximum is ${count} characters)`,
  tooManyPatterns: `config is too long (maximum is ${limits.ci.patterns_max} characters)`,
  notANumber: 'must be an integer',
  atLeast: (least: number) => `must be greater than or equal to ${least}`,
  atMost: (most: number) => `must be less than or equal to ${most}`,
  expression: 'invalid expression syntax',
  regularExpression: 'config must be a regular expression with re2 syntax',

  // Jobs
  noVisibleJob: 'jobs config should contain at least one visible job',
  jobWithoutScript: (name: string) =>
    `jobs ${name.replaceAll(' ', '_')} config should implement a script: or a trigger: keyword`.toLowerCase(),
  jobNameIsNoText: 'name should be a symbol',
  hashOrBoolean: 'should be a hash or a boolean value',
  rulesShape: 'rules should be an array containing hashes and arrays of hashes',
  policyShape: 'has to be either an array of conditions or a hash',
  unsupportedType: 'has an unsupported type',
  retryShape: 'retry config has to be either an integer or a hash',
  parallelShape: 'should be an integer or a hash',
  matrixTooLarge: `config generates too many jobs (maximum is ${limits.ci.parallel_max})`,
  matrixShape: 'config should be an array of hashes',
  needsShape: 'config can only be a hash or an array',
  triggerShape: 'has to be either a string or a hash',
  triggerNeedsTarget: 'config must specify either project or include',
  triggerTooLong: 'config is too long (maximum is 3)',
  linksShape: 'config should be an array of hashes',
  artifactWithoutJob: 'config must specify the job where to fetch the artifact from',
  cacheKeyShape: 'config should be a hash, a string or a symbol',
  tooManyCaches: `config no more than ${limits.ci.caches_max} caches can be created`,
  keyFilesMissing: 'config requires at least 1 item',
  keyFilesTooMany: 'config has too many items (maximum is 2)',
  cacheKeyPath: 'cannot contain the "/" character',
  cacheKeyDots: 'cannot be "." or ".."',
  environmentName:
    "name can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'",
  tooManyTags: `config must be less than the limit of ${limits.ci.tags_max} tags`,
  tagTooLong: (job: string) =>
    `${job} job: a tag is too long (maximum is ${limits.ci.name_characters} characters)`,
  resourceGroupName: (job: string) =>
    `${job} job: the resource group is left out, because its name can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, at most ${limits.ci.name_characters}, and cannot start or end with '/'`,
  tooManyItems: (count: number) => `config has too many items (maximum is ${count})`,
  boolOrTexts: 'should be a bool or array of strings',
  dependencyNotNeeded: (names: string) => `dependencies the ${names} should be part of needs`,
  mayRunTwice:
    'may allow multiple pipelines to run for a single action due to `rules:when` clause with no `workflow:rules`',

  // References between jobs
  stageUnknown: (job: string, available: string) =>
    `${job} job: chosen stage does not exist; available stages are ${available}`,
  dependencyUndefined: (job: string, name: string, kind: string) =>
    `${job} job: undefined ${kind}: ${name}`,
  dependencyLater: (job: string, name: string, kind: string) =>
    `${job} job: ${kind} ${name} is not defined in current or prior stages`,
  needsDuplicated: (job: string, names: string) =>
    `${job} has the following needs duplicated: ${names}.`,
  needMissing: (job: string, name: string) =>
    `'${job}' job needs '${name}' job, but '${name}' is not in any previous stage`,
  tooManyNeeds: (job: string, count: number) =>
    `${job}: one job can only need ${limits.ci.needs_max} others, but you have listed ${count}. See needs keyword documentation for more details`,
  needsCircular: 'The pipeline has circular dependencies',
  onStopUndefined: (job: string, name: string) => `${job} job: on_stop job ${name} is not defined`,
  onStopWithoutEnvironment: (job: string, name: string) =>
    `${job} job: on_stop job ${name} does not have environment defined`,
  onStopOtherEnvironment: (job: string, name: string) =>
    `${job} job: on_stop job ${name} have different environment name`,
  onStopWithoutAction: (job: string, name: string) =>
    `${job} job: on_stop job ${name} needs to have action stop defined`,
  tooManyJobs: `The number of jobs has exceeded the limit of ${limits.ci.jobs_max}. Try splitting the configuration with parent-child-pipelines`,
} as const

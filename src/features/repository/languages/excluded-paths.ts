// Files that do not count: what linguist calls vendored, generated and documentation.

/** Patterns of whole paths, and of file names. */
type Patterns = { path: RegExp[]; name: RegExp[] }

const vendored: Patterns = {
  path: [
    /(^|\/)(node_modules|bower_components|cache|dist|vendors?|extern|external|testdata|Carthage|Pods)\//,
    /(^|\/)(3rd|[Tt]hird)[-_]?[Pp]arty\//,
    /^([Dd]ependencies|deps|debian|Godeps\/_workspace)\//,
    /^([Tt]ests?|[Ss]pecs?)\/fixtures\//,
    /(^|\/)\.(github|vscode|yarn|husky|idea)\//,
    /(^|\/)(inst\/extdata|gradle\/wrapper|cordova|Sparkle)\//,
  ],
  name: [
    /^(configure|config\.guess|config\.sub|aclocal\.m4|libtool\.m4|lt[a-z]*\.m4|gradlew(\.bat)?|mvnw(\.cmd)?)$/,
    /[.-]min\.(js|css)$/,
    /^(jquery|bootstrap|angular|react|ember|backbone|modernizr|mootools|prototype|underscore|lodash|normalize|font-?awesome|d3)([.-].*)?\.(js|css|less|scss)$/,
  ],
}

const documentation: Patterns = {
  path: [
    /^([Dd]ocs?|[Mm]an|[Ee]xamples|[Dd]emos?|[Ss]amples?)\//,
    /(^|\/)([Dd]ocumentation|[Gg]roovydoc|[Jj]avadoc|inst\/doc)\//,
  ],
  name: [
    /^(CITATIONS?|CHANGE(S|LOG)?|CONTRIBUTING|COPYING|INSTALL|LICEN[CS]E|[Rr]eadme|README)(\..*)?$/,
  ],
}

const generated: Patterns = {
  path: [/(^|\/)(__generated__|__snapshots__)\//],
  name: [
    /^(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|composer\.lock|Cargo\.lock|Pipfile\.lock|Gopkg\.lock|go\.sum)$/,
    /\.(pb\.go|pb\.h|pb\.cc|pb\.objc\.[hm]|g\.dart|freezed\.dart|designer\.(cs|vb)|feature\.cs|nib|xcworkspacedata)$/i,
    /(_pb2(_grpc)?\.pyi?|_pb\.(js|ts|d\.ts)|_grpc_pb\.js)$/,
    /^zz_generated\./,
    /\.generated\./,
  ],
}

const kinds = { vendored, documentation, generated }
export type ExcludedPathKind = keyof typeof kinds
export const excludedPathKinds = Object.keys(kinds) as ExcludedPathKind[]

export function isExcludedPath(path: string, kind: ExcludedPathKind): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return (
    kinds[kind].path.some((pattern) => pattern.test(path)) ||
    kinds[kind].name.some((pattern) => pattern.test(name))
  )
}

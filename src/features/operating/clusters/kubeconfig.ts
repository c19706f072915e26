/** The name of the only cluster, user and context in the file. */
const name = 'gitlab-deploy'

/** Renders the file with which `kubectl` and other clients access a cluster. Certificates are in PEM. */
export function renderKubeconfig({
  api_url,
  ca_cert,
  namespace,
  token,
}: {
  api_url: string
  ca_cert: string | null
  namespace: string
  token: string
}): string {
  // A JSON string is valid YAML.
  const quoted = JSON.stringify
  const authority =
    ca_cert === null
      ? []
      : [`    certificate-authority-data: ${quoted(Buffer.from(ca_cert).toString('base64'))}`]
  return [
    '---',
    'apiVersion: v1',
    'clusters:',
    `- name: ${name}`,
    '  cluster:',
    `    server: ${quoted(api_url)}`,
    ...authority,
    'contexts:',
    `- name: ${name}`,
    '  context:',
    `    cluster: ${name}`,
    `    namespace: ${quoted(namespace)}`,
    `    user: ${name}`,
    `current-context: ${name}`,
    'kind: Config',
    'users:',
    `- name: ${name}`,
    '  user:',
    `    token: ${quoted(token)}`,
    '',
  ].join('\n')
}

// Variables of the cluster that a job deploys to (docs/api/clusters.md, "Jobs").
import type { JobVariable } from '../../../ci/protocol.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import { matchesWildcard } from '../../../kernel/wildcard.ts'
import type { PredefinedVariablesRequest } from '../../delivery/pipeline-creation/collect-predefined-variables.ts'
import type { EnvironmentVariablesRequest } from '../../delivery/runners/collect-environment-variables.ts'
import { type Cluster, hasClusterForProject, listClustersForProject } from './cluster.store.ts'
import { renderKubeconfig } from './kubeconfig.ts'

/** Adds the variables of the cluster for a job's environment; nothing if no cluster matches. */
export async function addClusterVariables({
  uses,
  project,
  environment,
  isProtected,
  variables,
}: EnvironmentVariablesRequest): Promise<void> {
  // Clusters of groups and the instance are used on protected branches and tags only, since all projects
  // below share their token.
  const clusters = (await listClustersForProject(uses.db, project)).filter(
    ({ distance }) => distance === 0 || isProtected,
  )
  const cluster = nearest(clusters, environment.name)
  if (!cluster) return
  const token = openSecret(uses.secretKey, cluster.token)
  const { api_url, ca_cert, domain } = cluster
  const namespace = namespaceFor(cluster, { project, environment })
  const config = renderKubeconfig({ api_url, ca_cert, namespace, token })
  // The variables are raw: text in a value that looks like a variable is not expanded.
  const shown = (key: string, value: string): JobVariable => ({
    key,
    value,
    public: true,
    masked: false,
    raw: true,
  })
  const file = (key: string, value: string): JobVariable => ({ ...shown(key, value), file: true })
  variables.push(
    shown('KUBE_URL', api_url),
    ...(ca_cert === null ? [] : [shown('KUBE_CA_PEM', ca_cert), file('KUBE_CA_PEM_FILE', ca_cert)]),
    { ...shown('KUBE_TOKEN', token), public: false, masked: true },
    shown('KUBE_NAMESPACE', namespace),
    { ...file('KUBECONFIG', config), public: false },
    ...(domain ? [shown('KUBE_INGRESS_BASE_DOMAIN', domain)] : []),
  )
}

/**
 * Sets `CI_KUBERNETES_ACTIVE` if the project has a cluster for any environment. A step of
 * `collectPredefinedVariablesEffect`.
 */
export async function addKubernetesActiveVariable({
  db,
  project,
  variables,
}: PredefinedVariablesRequest): Promise<void> {
  if (await hasClusterForProject(db, project)) variables.CI_KUBERNETES_ACTIVE = 'true'
}

/**
 * Returns the cluster of the nearest owner that matches the environment; of several, the one with the most
 * specific scope.
 */
function nearest<
  Candidate extends Pick<Cluster, 'id' | 'environment_scope'> & { distance: number },
>(clusters: readonly Candidate[], environment: string): Candidate | undefined {
  const [first] = clusters
    .filter(({ environment_scope: scope }) => matchesWildcard(scope, environment))
    .toSorted(
      (a, b) =>
        a.distance - b.distance ||
        Number(isExact(b)) - Number(isExact(a)) ||
        b.environment_scope.length - a.environment_scope.length ||
        a.id - b.id,
    )
  return first
}

const isExact = ({ environment_scope }: Pick<Cluster, 'environment_scope'>) =>
  !environment_scope.includes('*')

const namespace_characters = 63

/**
 * Returns the namespace of the cluster. A managed cluster can have one namespace per environment. Without a
 * configured namespace it is derived from the project. For a cluster that is not managed, the job may name
 * another one.
 */
function namespaceFor(
  { namespace, managed, namespace_per_environment }: Cluster,
  { project, environment }: Pick<EnvironmentVariablesRequest, 'project' | 'environment'>,
): string {
  const { slug, namespace: asked } = environment
  if (!managed && asked) return asked
  if (namespace !== null && !(managed && namespace_per_environment)) return namespace
  const base = namespace ?? `${project.path}-${project.id}`
  return fitNamespace(namespace_per_environment ? `${base}-${slug}` : base)
}

/** Converts a text to a valid namespace: lower-case letters, digits and inner hyphens. */
function fitNamespace(text: string): string {
  const plain = text.toLowerCase().replace(/[^a-z0-9-]/g, '-')
  const start = [...plain].findIndex((character) => character !== '-')
  let end = Math.min(plain.length, start + namespace_characters)
  while (end > start && plain[end - 1] === '-') end--
  return plain.slice(start, end)
}

// The form of a cluster: how it is reached, and which jobs use it.
import type { Cluster } from '../../../api/operations.ts'
import { clusters as words } from '../../../text/clusters.ts'
import { CheckField, TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form, type FormValues } from '../../../ui/form/form.tsx'

/** The values of the form; '' for a blank token. */
export type ClusterTexts = ReturnType<typeof textsOf>

function textsOf(values: FormValues, hasNamespace: boolean) {
  const orNull = (name: string) => values.text(name).trim() || null
  return {
    name: values.text('name').trim(),
    environment_scope: values.text('environment_scope').trim() || '*',
    domain: orNull('domain'),
    namespace_per_environment: values.has('namespace_per_environment'),
    managed: values.has('managed'),
    platform_orchestrator_attributes: {
      api_url: values.text('api_url').trim(),
      token: values.text('token').trim(),
      ca_cert: orNull('ca_cert'),
      ...(hasNamespace ? { namespace: orNull('namespace') } : {}),
    },
  }
}

export function ClusterForm({
  hasNamespace,
  cluster,
  onSave,
}: {
  /** Whether the clusters have a namespace setting, as those of projects do. */
  hasNamespace: boolean
  cluster?: Cluster
  /** Saves the values. Throws `Refusal`. */
  onSave: (texts: ClusterTexts) => Promise<unknown>
}) {
  const platform = cluster?.platform_orchestrator
  return (
    <Form
      action={cluster ? words.save : words.add}
      label={cluster ? words.edit : words.new}
      onSubmit={(values) => onSave(textsOf(values, hasNamespace))}
    >
      <TextField label={words.name} name="name" required defaultValue={cluster?.name ?? ''} />
      <TextField
        label={words.apiUrl}
        name="api_url"
        type="url"
        required
        spellcheck={false}
        problemsOf="platform_orchestrator.api_url"
        defaultValue={platform?.api_url ?? ''}
      />
      <TextField
        label={words.token}
        hint={cluster ? words.tokenKeptHint : words.tokenHint}
        name="token"
        type="password"
        autocomplete="off"
        required={!cluster}
        problemsOf="platform_orchestrator.token"
      />
      <TextArea
        label={words.caCert}
        hint={words.caCertHint}
        name="ca_cert"
        spellcheck={false}
        problemsOf="platform_orchestrator.ca_cert"
        defaultValue={platform?.ca_cert ?? ''}
      />
      <TextField
        label={words.scope}
        hint={words.scopeHint}
        name="environment_scope"
        spellcheck={false}
        defaultValue={cluster?.environment_scope ?? '*'}
      />
      {hasNamespace ? (
        <TextField
          label={words.namespace}
          hint={words.namespaceHint}
          name="namespace"
          spellcheck={false}
          problemsOf="platform_orchestrator.namespace"
          defaultValue={platform?.namespace ?? ''}
        />
      ) : null}
      <TextField
        label={words.domain}
        hint={words.domainHint}
        name="domain"
        spellcheck={false}
        defaultValue={cluster?.domain ?? ''}
      />
      <CheckField
        label={words.perEnvironment}
        name="namespace_per_environment"
        defaultChecked={cluster?.namespace_per_environment ?? true}
      />
      <CheckField
        label={words.managed}
        hint={words.managedHint}
        name="managed"
        defaultChecked={cluster?.managed ?? true}
      />
    </Form>
  )
}

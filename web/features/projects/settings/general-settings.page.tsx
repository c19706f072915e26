import { invalidate } from '../../../api/cache.ts'
import { call, type Input } from '../../../api/call.ts'
import { mayInProject, type ProjectRecord, useProject } from '../../../api/project.ts'
import { settingsText } from '../../../text/places.ts'
import { generalText as words } from '../../../text/settings.ts'
import { LazyBadges } from '../../../ui/badges/lazy-badges.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Combobox } from '../../../ui/combobox/combobox.tsx'
import { findNamespaces } from '../../../ui/combobox/finders.ts'
import { confirmBefore } from '../../../ui/dialog/dialog.tsx'
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/field/field.tsx'
import { Form, type FormValues } from '../../../ui/form/form.tsx'
import { lazyComponent } from '../../../ui/lazy-component.tsx'
import { navigate } from '../../../ui/navigation.ts'
import { Section } from '../../../ui/page/page.tsx'
import { ProjectSettings } from '../../../ui/page/settings.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { showToast } from '../../../ui/toast/toast.tsx'

type Changes = Omit<Input<'PUT /projects/:id'>, 'id'>
type Feature = keyof typeof words.featureNames

const Approvals = lazyComponent(() =>
  import('./approvals.parts.tsx').then(({ ApprovalsSection: View }) => View),
)

const features = Object.keys(words.featureNames) as Feature[]

export const page: PageModule<PlaceLocation> = { View: GeneralSettings }

async function save(project: ProjectRecord, changes: Changes): Promise<void> {
  await call('PUT /projects/:id', { id: project.id, ...changes })
  invalidate(`/api/v4/projects/${project.id}`, '/api/v4/projects?', '/api/v4/resolve')
  showToast(words.saved)
}

function GeneralSettings({ at }: { at: PlaceLocation }) {
  const { data: project } = useProject(at.place.id)
  if (!project) return null
  return (
    <ProjectSettings place={at.place} title={settingsText.general}>
      <About project={project} />
      <Features project={project} />
      <Merging project={project} />
      {mayInProject(project, 'manage_approvals') ? (
        <Section id="merge-request-approvals" title={words.approvals} lead={words.approvalsLead}>
          <Approvals id={project.id} />
        </Section>
      ) : null}
      {mayInProject(project, 'write_badges') ? (
        <LazyBadges owner={{ kind: 'project', id: project.id }} />
      ) : null}
      <Danger project={project} />
    </ProjectSettings>
  )
}

function About({ project }: { project: ProjectRecord }) {
  const submit = (values: FormValues) => {
    const avatar = values.file('avatar')
    return save(project, {
      name: values.text('name'),
      description: values.text('description'),
      visibility: values.text('visibility') as 'public',
      topics: values
        .text('topics')
        .split(',')
        .map((topic) => topic.trim())
        .filter(Boolean),
      ...(avatar ? { avatar } : {}),
    })
  }
  return (
    <Form action={words.save} onSubmit={submit}>
      <TextField label={words.name} name="name" required defaultValue={project.name} />
      <TextArea
        label={words.description}
        name="description"
        defaultValue={project.description ?? ''}
      />
      <TextField label={words.topics} name="topics" defaultValue={project.topics.join(', ')} />
      <SelectField
        label={words.visibility}
        name="visibility"
        options={words.visibilities}
        value={project.visibility ?? 'private'}
        problemsOf="visibility_level"
      />
      <TextField label={words.avatar} name="avatar" type="file" accept="image/*" />
    </Form>
  )
}

function Features({ project }: { project: ProjectRecord }) {
  const now = project as unknown as Record<Feature, string | undefined>
  return (
    <Section title={words.features}>
      <Form
        action={words.saveFeatures}
        onSubmit={(values) =>
          save(
            project,
            Object.fromEntries(features.map((name) => [name, values.text(name)])) as Changes,
          )
        }
      >
        {features.map((name) => (
          <SelectField
            key={name}
            label={words.featureNames[name]}
            name={name}
            options={words.levels}
            value={now[name] ?? 'enabled'}
          />
        ))}
      </Form>
    </Section>
  )
}

function Merging({ project }: { project: ProjectRecord }) {
  return (
    <Section title={words.merging}>
      <Form
        action={words.saveMerging}
        onSubmit={(values) =>
          save(project, {
            merge_method: values.text('merge_method') as 'merge',
            only_allow_merge_if_pipeline_succeeds: values.has('pipeline'),
            only_allow_merge_if_all_discussions_are_resolved: values.has('threads'),
          })
        }
      >
        <SelectField
          label={words.method}
          name="merge_method"
          options={words.methods}
          value={project.merge_method ?? 'merge'}
        />
        <CheckField
          label={words.requirePipeline}
          name="pipeline"
          defaultChecked={project.only_allow_merge_if_pipeline_succeeds ?? false}
        />
        <CheckField
          label={words.requireResolvedThreads}
          name="threads"
          defaultChecked={project.only_allow_merge_if_all_discussions_are_resolved ?? false}
        />
      </Form>
    </Section>
  )
}

function Danger({ project }: { project: ProjectRecord }) {
  return (
    <>
      <Section title={words.changePath}>
        <Form
          action={words.changePath}
          onSubmit={async (values) => {
            await save(project, { path: values.text('path') })
            const space = project.path_with_namespace.split('/').slice(0, -1).join('/')
            navigate(`/${space}/${values.text('path')}/-/settings/general`, { replace: true })
          }}
        >
          <TextField
            label={words.path}
            hint={words.pathHint}
            name="path"
            required
            defaultValue={project.path}
          />
        </Form>
      </Section>
      {mayInProject(project, 'transfer_project') ? (
        <Section title={words.transfer} lead={words.transferLead}>
          <Form
            action={words.transfer}
            isDanger
            onSubmit={async (values) => {
              const moved = await call('PUT /projects/:id/transfer', {
                id: project.id,
                namespace: values.text('namespace'),
              })
              invalidate('/api/v4/')
              navigate(`/${moved.path_with_namespace}`, { replace: true })
            }}
          >
            <Combobox label={words.transferTo} name="namespace" find={findNamespaces} required />
          </Form>
        </Section>
      ) : null}
      {mayInProject(project, 'archive_project') ? (
        <Section
          title={project.archived ? words.unarchive : words.archive}
          lead={words.archiveLead}
        >
          <div>
            <Button onClick={() => askToArchive(project)}>
              {project.archived ? words.unarchive : words.archive}
            </Button>
          </div>
        </Section>
      ) : null}
      {mayInProject(project, 'remove_project') ? (
        <Section title={words.remove} lead={words.removeLead}>
          <div>
            <Button look="danger" onClick={() => askToRemove(project)}>
              {words.remove}
            </Button>
          </div>
        </Section>
      ) : null}
    </>
  )
}

function askToArchive({ id, name, archived }: ProjectRecord): void {
  const run = async () => {
    await call(archived ? 'POST /projects/:id/unarchive' : 'POST /projects/:id/archive', { id })
    invalidate(`/api/v4/projects/${id}`)
  }
  if (archived) void run()
  else
    confirmBefore({
      title: words.archiveTitle(name),
      text: words.archiveText,
      action: words.archive,
      run,
    })
}

function askToRemove({ id, name, path_with_namespace }: ProjectRecord): void {
  confirmBefore({
    title: words.removeTitle(name),
    text: words.removeText,
    action: words.remove,
    typed: path_with_namespace,
    run: async () => {
      await call('DELETE /projects/:id', { id })
      invalidate('/api/v4/projects', '/api/v4/resolve')
      navigate('/', { replace: true })
    },
  })
}

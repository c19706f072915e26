import { Type } from 'typebox'
import { isAdmin } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Facts, Rule } from '../../../access/rule.ts'
import type { SubjectLoader } from '../../../http/endpoint.ts'
import { notFound } from '../../../kernel/errors.ts'
import { mayCreatePipelines, mayReadPipelines } from '../../../subjects/pipeline.ts'
import { type Project, projectLoader } from '../../../subjects/project.ts'
import { findSchedule, type PipelineSchedule } from './pipeline-schedule.store.ts'

/** A schedule with its project. */
export type ScheduleInProject = { project: Project; schedule: PipelineSchedule }

export const mayReadSchedules: Rule<Project> = mayReadPipelines

export const mayCreateSchedules: Rule<Project> = mayCreatePipelines

/** Whether the caller may change a schedule. Its pipelines run with the owner's rights, so only the owner may. */
export const mayChangeSchedule: Rule<ScheduleInProject> = (facts) =>
  mayCreateSchedules(inProject(facts)) && (isAdmin(facts.actor) || isOwner(facts))

/** Whether the caller may take over or delete a schedule, and read its variables. */
export const mayAdminSchedule: Rule<ScheduleInProject> = (facts) =>
  mayCreateSchedules(inProject(facts)) && (facts.level >= Level.maintainer || isOwner(facts))

export const mayPlaySchedule: Rule<ScheduleInProject> = (facts) =>
  mayCreateSchedules(inProject(facts))

function inProject({ subject, ...facts }: Facts<ScheduleInProject>): Facts<Project> {
  return { ...facts, subject: subject.project }
}

function isOwner({ subject, actor }: Facts<ScheduleInProject>): boolean {
  return actor.user !== undefined && actor.user.id === subject.schedule.owner_id
}

/** Loads a schedule. Throws 404 also for callers who may not read schedules, as the real product does. */
export const pipelineScheduleLoader: SubjectLoader<ScheduleInProject> = {
  parameters: { ...projectLoader.parameters, pipeline_schedule_id: Type.Integer() },
  async load(request) {
    const { subject: project, level } = await projectLoader.load(request)
    const { db, actor, parameters } = request
    const id = Number(parameters.pipeline_schedule_id)
    const mayRead = mayReadSchedules({ subject: project, level, actor })
    const schedule = mayRead && (await findSchedule(db, { project_id: project.id, id }))
    if (!schedule) throw notFound('Pipeline Schedule')
    return { subject: { project, schedule }, level }
  },
}

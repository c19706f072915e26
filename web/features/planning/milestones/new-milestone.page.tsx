import { useAbilities } from '../../../api/abilities.ts'
import { call } from '../../../api/call.ts'
import { milestones as words } from '../../../text/milestones.ts'
import { navigate } from '../../../ui/navigation.ts'
import { NotFoundPage } from '../../../ui/page/not-found-page.tsx'
import { PlanningPage } from '../../../ui/page/planning.tsx'
import type { PageModule, PlaceLocation } from '../../../ui/page-module.ts'
import { placeBasePath } from '../../../ui/project-address.ts'
import { invalidateMilestones, milestoneRoutesOf } from './milestone-calls.ts'
import { MilestoneForm } from './milestone-form.tsx'

export const page: PageModule<PlaceLocation> = { View: NewMilestone }

function NewMilestone({ at: { place } }: { at: PlaceLocation }) {
  const can = useAbilities(place)
  const base = `${placeBasePath(place)}/-/milestones`
  if (!can('write_milestones')) return <NotFoundPage />
  return (
    <PlanningPage place={place} title={words.new}>
      <MilestoneForm
        place={place}
        onSave={async (texts) => {
          const { iid } = await call(milestoneRoutesOf(place).create, { id: place.id, ...texts })
          invalidateMilestones()
          navigate(`${base}/${iid}`, { replace: true })
        }}
        onCancel={() => navigate(base)}
      />
    </PlanningPage>
  )
}

import { useAbilities } from '../../../api/abilities.ts'
import { call } from '../../../api/call.ts'
import { milestones as words } from '../../../text/milestones.ts'
import { navigate } from '../../../ui/navigation.ts'
import { NothingHere } from '../../../ui/page/nothing-here.tsx'
import { PlanningPage } from '../../../ui/page/planning.tsx'
import type { AtPlace, PageModule } from '../../../ui/page-module.ts'
import { baseOf } from '../../../ui/project-address.ts'
import { routesOf, touchMilestones } from './milestone-calls.ts'
import { MilestoneForm } from './milestone-form.tsx'

export const page: PageModule<AtPlace> = { View: NewMilestone }

function NewMilestone({ at: { place } }: { at: AtPlace }) {
  const can = useAbilities(place)
  const base = `${baseOf(place)}/-/milestones`
  if (!can('write_milestones')) return <NothingHere />
  return (
    <PlanningPage place={place} title={words.new}>
      <MilestoneForm
        place={place}
        onSave={async (texts) => {
          const { iid } = await call(routesOf(place).create, { id: place.id, ...texts })
          touchMilestones()
          navigate(`${base}/${iid}`, { replace: true })
        }}
        onCancel={() => navigate(base)}
      />
    </PlanningPage>
  )
}

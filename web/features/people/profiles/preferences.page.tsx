import { setCachedData } from '../../../api/cache.ts'
import { call, type Input } from '../../../api/call.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { preferences } from '../../../text/own-settings.ts'
import { ownSettingsPlaces } from '../../../text/places.ts'
import { CheckField, SelectField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { OwnSettings } from '../../../ui/page/own-settings.tsx'
import type { PageModule } from '../../../ui/page-module.ts'
import { storePreferences } from '../../../ui/preferences.ts'
import { showToast } from '../../../ui/toast/toast.tsx'

const url = apiReadUrl('GET /user/preferences', {})
const widths = [1, 2, 3, 4, 8, 16]

export const page: PageModule = {
  calls: () => [url],
  View: Preferences,
}

function Preferences() {
  const { data } = useApi('GET /user/preferences', {})
  if (!data) return null
  return (
    <OwnSettings title={ownSettingsPlaces.preferences} lead={preferences.lead}>
      <Form
        action={preferences.save}
        onSubmit={async (values) => {
          const saved = await call('PUT /user/preferences', {
            language: values.text('language'),
            theme: values.text('theme'),
            density: values.text('density'),
            tab_width: Number(values.text('tab_width')),
            single_keys: values.has('single_keys'),
            show_whitespace_in_diffs: values.has('show_whitespace_in_diffs'),
            view_diffs_file_by_file: values.has('view_diffs_file_by_file'),
          } as Input<'PUT /user/preferences'>)
          setCachedData(url, saved)
          storePreferences(saved)
          showToast(ownSettingsPlaces.saved)
        }}
      >
        <SelectField
          label={preferences.language}
          name="language"
          options={preferences.languages}
          value={data.language}
        />
        <SelectField
          label={preferences.theme}
          name="theme"
          options={preferences.themes}
          value={data.theme}
        />
        <SelectField
          label={preferences.density}
          name="density"
          options={preferences.densities}
          value={data.density}
        />
        <SelectField
          label={preferences.tabWidth}
          name="tab_width"
          options={widths.map((width) => [String(width), preferences.tabWidths(width)])}
          value={String(data.tab_width)}
        />
        <CheckField
          label={preferences.singleKeys}
          hint={preferences.singleKeysHint}
          name="single_keys"
          defaultChecked={data.single_keys}
        />
        <CheckField
          label={preferences.whitespace}
          name="show_whitespace_in_diffs"
          defaultChecked={data.show_whitespace_in_diffs}
        />
        <CheckField
          label={preferences.fileByFile}
          name="view_diffs_file_by_file"
          defaultChecked={data.view_diffs_file_by_file}
        />
      </Form>
    </OwnSettings>
  )
}

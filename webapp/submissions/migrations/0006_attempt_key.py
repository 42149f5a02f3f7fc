from django.db import migrations, models

import webapp.submissions.models


class Migration(migrations.Migration):

    dependencies = [
        ('submissions', '0005_baselines'),
    ]

    operations = [
        # Runs whose job was sent without a key have none.
        migrations.AddField(
            model_name='run',
            name='attempt_key',
            field=models.CharField(blank=True, default='', editable=False, max_length=64),
        ),
        migrations.AlterField(
            model_name='run',
            name='attempt_key',
            field=models.CharField(blank=True, default=webapp.submissions.models.new_key, editable=False, max_length=64),
        ),
    ]

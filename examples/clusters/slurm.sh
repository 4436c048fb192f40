#!/bin/sh
# Does the units of a plan as a Slurm array: one task for each unit. The folder of the plan is on storage that all nodes
# share.
#
#   sbatch --array=0-63 slurm.sh FOLDER
#
#SBATCH --job-name=wurfel
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --requeue
exec wurfel work run "$1" --unit "$SLURM_ARRAY_TASK_ID" --jobs "${SLURM_CPUS_PER_TASK:-1}"

//! Flags of the binaries that keep records.

use crate::cli::BadInput;
use crate::records::earlier::Earlier;
use crate::records::machine::Clock;
use crate::records::meta::{Asked, META, RunSettings};
use crate::records::runs;
use crate::records::writer::{Records, RecordsError};
use clap::Args;
use std::path::PathBuf;

/// Where a run keeps its records.
#[derive(Clone, Debug, Default, Args)]
pub struct RecordsFlags {
    /// Folder for the records instead of results/DATE-EXPERIMENT
    ///
    /// It is made if need be; one that already holds records is refused, so that nothing is mixed or lost,
    /// unless --resume goes on with them.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Go on with the records in --out: what is there is not searched again
    ///
    /// They must be of the same experiment, suite, evaluator, depth, table, parameters, build and machine.
    /// Rounds may be more; contenders, too, where times are virtual, which do not depend on the machine or
    /// the hour. A line that a killed run has left half written is dropped. Where there are no records yet,
    /// it begins anew.
    #[arg(long, requires = "out")]
    pub resume: bool,

    /// Let --resume go on with records of another build or machine, or with contenders that were not among
    /// those recorded
    ///
    /// meta.json then names both builds and machines, and so do reports. Times of different machines make no
    /// curve.
    #[arg(long, requires = "resume")]
    pub mix: bool,

    /// The spec that asks for the run.
    #[arg(skip)]
    pub spec: Option<Asked>,
}

impl RecordsFlags {
    /// Whether [`open`](Self::open) finds a folder for such records, `of` an experiment and a game. Writes
    /// nothing.
    ///
    /// # Errors
    /// [`BadInput`] when there cannot be such records in that folder.
    pub(crate) fn check(
        &self,
        of: (&str, &str),
        settings: impl Into<RunSettings>,
        clock: Clock,
    ) -> anyhow::Result<()> {
        self.earlier(of, &settings.into(), clock).map(drop)
    }

    /// The records `of` an experiment and a game that `settings` describe, new or to be gone on with, and
    /// what is in them already.
    ///
    /// # Errors
    /// [`BadInput`] when there cannot be such records in that folder.
    pub(crate) fn open(
        &self,
        of: (&str, &str),
        settings: impl Into<RunSettings>,
        clock: Clock,
    ) -> anyhow::Result<Opened> {
        let settings = settings.into();
        if let Some(earlier) = self.earlier(of, &settings, clock)? {
            return Ok(Opened::Earlier(earlier));
        }
        let created = Records::create(self.out.as_deref(), of, settings, self.spec.as_ref());
        Ok(Opened::New(created.map_err(BadInput::from_error)?))
    }

    /// The records to go on with; none where there are none yet.
    fn earlier(
        &self,
        of: (&str, &str),
        settings: &RunSettings,
        clock: Clock,
    ) -> anyhow::Result<Option<Earlier>> {
        let Some(path) = &self.out else { return Ok(None) };
        let refuse = |error| Err(BadInput::from_error(error).into());
        match Earlier::read(path).map_err(BadInput::from_error)? {
            Some(earlier) if self.resume && earlier.is_sealed() => refuse(RecordsError::Sealed(path.clone())),
            Some(mut earlier) if self.resume => {
                settings.check(of, &earlier, clock, self.mix)?;
                earlier.is_mixed = self.mix;
                Ok(Some(earlier))
            }
            None if !path.join(META).exists() => Ok(None),
            None => refuse(match runs::told(path) {
                none if none.is_empty() => RecordsError::InUse(path.clone()),
                runs => RecordsError::HasRuns(path.clone(), runs),
            }),
            Some(_) => refuse(RecordsError::InUse(path.clone())),
        }
    }
}

/// Records that a run is about to write.
#[derive(Debug)]
pub enum Opened {
    /// Nothing is in them.
    New(Records),
    /// Some of it is there.
    Earlier(Earlier),
}

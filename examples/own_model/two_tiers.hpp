#pragma once

#include "artel/own_models/model_study.hpp"

/// A front end that calls a back end with a time-out and tries again, and a back end that is slow
/// for a while: what does the service do when that is over?
artel::own_models::ModelStudy two_tiers();
